#include "ww-vocab.h"

#include <string.h>

#define MAX_WORDS 0x7fffffffu
#define FIRST_SLOTS 1024
#define BLOCK_NUMBERS 4096
#define NUMBER_BYTES 11 /* ten digits and NUL */

/* The words stand one after another in one block, so that a million of them cost three allocations
 * and not a million. */
struct _WwVocab
{
  char *text;
  gsize text_length, text_capacity;
  gsize *starts; /* of word i in `text` */
  gsize n_words, words_capacity;
  guint64 *slots; /* hash in the upper half, number + 1 in the lower; 0: free */
  gsize n_slots;  /* a power of two, at least twice the words */
  /* NULL: real words. Else word i is the number i, and BLOCK_NUMBERS of them are written when one is first asked
   * for, by whichever thread comes first: a table of millions of rows opens at once. */
  gpointer *blocks;
};

WwVocab *
ww_vocab_new (void)
{
  WwVocab *vocab = g_new0 (WwVocab, 1);

  vocab->n_slots = FIRST_SLOTS;
  vocab->slots = g_new0 (guint64, FIRST_SLOTS);
  return vocab;
}

static gsize
count_blocks (gsize n)
{
  return (n + BLOCK_NUMBERS - 1) / BLOCK_NUMBERS;
}

WwVocab *
ww_vocab_new_numbers (gsize n)
{
  g_autoptr (WwVocab) vocab = g_new0 (WwVocab, 1);

  if (n > MAX_WORDS)
    return NULL;
  vocab->blocks = g_try_new0 (gpointer, MAX (count_blocks (n), 1));
  if (vocab->blocks == NULL)
    return NULL;

  vocab->n_words = n;
  return g_steal_pointer (&vocab);
}

void
ww_vocab_free (WwVocab *vocab)
{
  if (vocab == NULL)
    return;

  for (gsize i = 0; vocab->blocks != NULL && i < count_blocks (vocab->n_words); i++)
    g_free (vocab->blocks[i]);
  g_free (vocab->blocks);
  g_free (vocab->text);
  g_free (vocab->starts);
  g_free (vocab->slots);
  g_free (vocab);
}

/* Eight bytes at a time, mixed by multiplication with an odd constant and folding the high half
 * down; good spread for short words, and nothing here is a target worth attacking beyond slowness,
 * which the bound on file sizes contains. */
static guint32
hash_bytes (const char *word, gsize length)
{
  guint64 hash = length * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  while (length > 0)
    {
      gsize step = MIN (length, 8);
      guint64 chunk = 0;

      memcpy (&chunk, word, step);
      hash = (hash ^ chunk) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
      hash ^= hash >> 32;
      word += step;
      length -= step;
    }

  return (guint32) (hash ^ hash >> 29);
}

/* The slot of the word, or the free slot where it would go. */
static gsize
find_slot (const WwVocab *vocab, const char *word, gsize length, guint32 hash)
{
  gsize slot = hash & (vocab->n_slots - 1);

  while (vocab->slots[slot] != 0)
    {
      if (vocab->slots[slot] >> 32 == hash)
        {
          const char *other = ww_vocab_get (vocab, (gsize) (vocab->slots[slot] & 0xffffffff) - 1);

          if (strncmp (other, word, length) == 0 && other[length] == '\0')
            break;
        }
      slot = (slot + 1) & (vocab->n_slots - 1);
    }

  return slot;
}

static gboolean
grow_slots (WwVocab *vocab)
{
  gsize n_slots = vocab->n_slots * 2;
  guint64 *slots = g_try_new0 (guint64, n_slots);

  if (slots == NULL)
    return FALSE;

  for (gsize i = 0; i < vocab->n_slots; i++)
    if (vocab->slots[i] != 0)
      {
        gsize slot = (gsize) (vocab->slots[i] >> 32) & (n_slots - 1);

        while (slots[slot] != 0)
          slot = (slot + 1) & (n_slots - 1);
        slots[slot] = vocab->slots[i];
      }

  g_free (vocab->slots);
  vocab->slots = slots;
  vocab->n_slots = n_slots;
  return TRUE;
}

static gboolean
reserve (WwVocab *vocab, gsize length)
{
  gsize needed;

  if (vocab->n_words == vocab->words_capacity)
    {
      gsize capacity = MAX (256, vocab->words_capacity * 2);
      gsize *starts = g_try_renew (gsize, vocab->starts, capacity);

      if (starts == NULL)
        return FALSE;
      vocab->starts = starts;
      vocab->words_capacity = capacity;
    }

  if (!g_size_checked_add (&needed, vocab->text_length, length)
      || !g_size_checked_add (&needed, needed, 1) || needed > G_MAXSSIZE / 2)
    return FALSE;
  if (needed > vocab->text_capacity)
    {
      gsize capacity = MAX (4096, needed * 2);
      char *text = g_try_realloc (vocab->text, capacity);

      if (text == NULL)
        return FALSE;
      vocab->text = text;
      vocab->text_capacity = capacity;
    }

  return (vocab->n_words + 1) * 2 <= vocab->n_slots || grow_slots (vocab);
}

WwVocabResult
ww_vocab_append (WwVocab *vocab, const char *word, gsize length)
{
  guint32 hash = hash_bytes (word, length);
  gsize slot;
  gboolean known;

  g_return_val_if_fail (vocab->blocks == NULL, WW_VOCAB_FULL);

  if (vocab->n_words == MAX_WORDS || !reserve (vocab, length))
    return WW_VOCAB_FULL;

  slot = find_slot (vocab, word, length, hash);
  known = vocab->slots[slot] != 0;
  if (!known)
    vocab->slots[slot] = (guint64) hash << 32 | (vocab->n_words + 1);

  vocab->starts[vocab->n_words++] = vocab->text_length;
  memcpy (vocab->text + vocab->text_length, word, length);
  vocab->text[vocab->text_length + length] = '\0';
  vocab->text_length += length + 1;
  return known ? WW_VOCAB_DUPLICATE : WW_VOCAB_NEW;
}

WwVocab *
ww_vocab_dup_head (const WwVocab *vocab, gsize n)
{
  g_autoptr (WwVocab) head = ww_vocab_new ();

  for (gsize i = 0; i < MIN (n, vocab->n_words); i++)
    {
      const char *word = ww_vocab_get (vocab, i);

      if (ww_vocab_append (head, word, strlen (word)) == WW_VOCAB_FULL)
        return NULL;
    }

  return g_steal_pointer (&head);
}

gsize
ww_vocab_get_size (const WwVocab *vocab)
{
  return vocab->n_words;
}

gboolean
ww_vocab_is_numbers (const WwVocab *vocab)
{
  return vocab->blocks != NULL;
}

static const char *
get_number (const WwVocab *vocab, gsize id)
{
  gsize b = id / BLOCK_NUMBERS;
  char *block = g_atomic_pointer_get (&vocab->blocks[b]);

  if (block == NULL)
    {
      block = g_malloc (BLOCK_NUMBERS * NUMBER_BYTES);
      for (guint i = 0; i < BLOCK_NUMBERS; i++)
        g_snprintf (block + i * NUMBER_BYTES, NUMBER_BYTES, "%u", (guint) (b * BLOCK_NUMBERS + i));
      if (!g_atomic_pointer_compare_and_exchange (&vocab->blocks[b], NULL, block))
        {
          g_free (block);
          block = g_atomic_pointer_get (&vocab->blocks[b]);
        }
    }

  return block + id % BLOCK_NUMBERS * NUMBER_BYTES;
}

/* As it is written in the list: without a sign or leading zeros. */
static gboolean
look_up_number (const WwVocab *vocab, const char *word, gsize length, guint32 *ret_id)
{
  gsize id = 0;

  if (length == 0 || length >= NUMBER_BYTES || (*word == '0' && length > 1))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isdigit (word[i]))
        return FALSE;
      id = id * 10 + (gsize) (word[i] - '0');
    }
  if (id >= vocab->n_words)
    return FALSE;

  *ret_id = (guint32) id;
  return TRUE;
}

const char *
ww_vocab_get (const WwVocab *vocab, gsize id)
{
  g_return_val_if_fail (id < vocab->n_words, NULL);

  if (vocab->blocks != NULL)
    return get_number (vocab, id);
  return vocab->text + vocab->starts[id];
}

gboolean
ww_vocab_lookup (const WwVocab *vocab, const char *word, gsize length, guint32 *ret_id)
{
  guint64 entry;

  if (vocab->blocks != NULL)
    return look_up_number (vocab, word, length, ret_id);

  entry = vocab->slots[find_slot (vocab, word, length, hash_bytes (word, length))];
  if (entry == 0)
    return FALSE;

  *ret_id = (guint32) (entry & 0xffffffff) - 1;
  return TRUE;
}
