/* tokenizer.json of a checkpoint, and a text for the tokeniser that it makes. */
#include <string.h>

#include "fuzz-util.h"
#include "ww-tokeniser.h"

static void
check_tokens (const WwTokeniser *tokeniser, const char *text)
{
  g_autoptr (WwTokens) tokens = ww_tokeniser_tokenise (tokeniser, text, TRUE);
  gsize length = strlen (text), n_pieces = ww_vocab_get_size (ww_tokeniser_get_vocab (tokeniser));

  for (gsize i = 0; i < tokens->n; i++)
    {
      const WwToken *token = &tokens->tokens[i];

      if (token->id >= n_pieces || token->start > token->end || token->end > length)
        g_error ("a token outside the vocabulary or the text");
      if (token->text == NULL || token->display == NULL || !g_utf8_validate (token->display, -1, NULL))
        g_error ("a token without a text");
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (WwSource) source = fuzz_source (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = ww_json_load (source, 1 << 20, &error);
  g_autoptr (WwTokeniser) tokeniser = NULL;
  g_autofree char *text = NULL;

  fuzz_check (root, error);
  if (root == NULL)
    return 0;

  tokeniser = ww_tokeniser_new_for_json (source, root, json_object_get (root, "config"), &error);
  fuzz_check (tokeniser, error);
  if (tokeniser == NULL)
    return 0;

  text = fuzz_text (data, size);
  check_tokens (tokeniser, text);
  check_tokens (tokeniser, " I love\tthe  duck's \n\n<s>[CLS] na\xc3\xafve \xf0\x9f\xa6\x86 ");
  return 0;
}
