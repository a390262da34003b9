/* config.json of a checkpoint. */
#include "fuzz-util.h"
#include "ww-model-config.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (WwSource) source = fuzz_source (data, size);
  g_autoptr (GError) error = NULL;
  g_auto (WwModelConfig) config = { 0 };
  gboolean read = ww_model_config_parse (source, &config, &error);

  fuzz_check (read ? &config : NULL, error);
  if (read && (config.hidden % config.heads != 0 || config.first_position >= config.positions))
    g_error ("sizes that do not fit");
  return 0;
}
