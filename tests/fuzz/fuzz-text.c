/* Any text for the two tokenisers of small checkpoints, whose folders are in WW_FUZZ_DATA. Byte-level pieces
 * put together are the text again. */
#include <string.h>

#include "fuzz-util.h"
#include "ww-bpe-bytes.h"
#include "ww-tokeniser.h"

static WwTokeniser *
open_small (const char *name, WwFamily family)
{
  g_autofree char *path = g_build_filename (WW_FUZZ_DATA, "checkpoints", name, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  WwTokeniser *tokeniser = ww_tokeniser_open (folder, family, &error);

  if (tokeniser == NULL)
    g_error ("%s", error->message);
  return tokeniser;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static WwTokeniser *pairs, *pieces;
  g_autofree char *text = fuzz_text (data, size);
  g_autoptr (WwTokens) tokens = NULL, words = NULL;
  g_autoptr (GString) again = g_string_new (NULL);
  gsize covered = 0;

  if (pairs == NULL)
    {
      pairs = open_small ("gpt2", WW_FAMILY_GPT2);
      pieces = open_small ("bert-plain", WW_FAMILY_BERT);
    }

  tokens = ww_tokeniser_tokenise (pairs, text, TRUE);
  for (gsize i = 0; i < tokens->n; i++)
    if (tokens->tokens[i].special)
      g_string_append (again, tokens->tokens[i].text);
    else if (!ww_bpe_decode (tokens->tokens[i].text, again))
      g_error ("a piece that is no bytes");
  if (strcmp (again->str, text) != 0)
    g_error ("the pieces are not the text");

  words = ww_tokeniser_tokenise (pieces, text, FALSE);
  for (gsize i = 0; i < words->n; i++)
    {
      if (words->tokens[i].start < covered || words->tokens[i].end < words->tokens[i].start)
        g_error ("tokens out of order");
      covered = words->tokens[i].end;
    }
  return 0;
}
