#include "fuzz-reader.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  return fuzz_reader (&ww_bare_safetensors_reader, "x.safetensors", data, size);
}
