#include "fuzz-reader.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  return fuzz_reader (&ww_text_reader, "x.txt", data, size);
}
