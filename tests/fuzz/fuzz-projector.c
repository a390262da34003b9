#include "fuzz-reader.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  return fuzz_reader (&ww_projector_reader, "x.bytes", data, size);
}
