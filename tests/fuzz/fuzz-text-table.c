#include "fuzz-reader.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  if (size > 0)
    for (guint reading = WW_READING_GUESSED + 1; reading < WW_N_READINGS; reading++)
      fuzz_open_as (&ww_text_reader, "x.tsv", NULL, (WwReading) reading, data, size, NULL);
  return fuzz_reader (&ww_text_reader, "x.txt", data, size);
}
