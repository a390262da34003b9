#include "fuzz-reader.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  return fuzz_reader (&ww_word2vec_reader, "x.bin", data, size);
}
