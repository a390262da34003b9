/* A safetensors file: its header, and the values of whatever it offers. */
#include "fuzz-util.h"
#include "ww-tensor-read.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (WwSource) source = fuzz_source (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSafetensors) tensors = ww_safetensors_open (source, &error);

  fuzz_check (tensors, error);
  for (gsize i = 0; tensors != NULL && i < ww_safetensors_get_size (tensors); i++)
    {
      const WwTensor *tensor = ww_safetensors_get (tensors, i);
      g_autoptr (GError) problem = NULL;
      g_autoptr (WwTable) table = ww_tensor_get_table (tensor, &problem);
      g_autofree char *shape = ww_tensor_dup_shape (tensor);
      g_autofree double *row = NULL;
      g_autofree float *values = NULL;

      fuzz_check (table, problem);
      if (*shape == '\0')
        g_error ("a shape without words");
      if (ww_safetensors_find (tensors, tensor->name) == NULL)
        g_error ("a tensor that cannot be found");
      if (table == NULL)
        continue;

      row = g_new (double, table->cols);
      ww_table_read_row (table, table->rows - 1, row, NULL);
      values = g_new (float, table->rows * table->cols);
      ww_tensor_read_floats (tensor, values, NULL);
    }

  return 0;
}
