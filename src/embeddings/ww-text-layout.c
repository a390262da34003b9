#include "ww-text-layout.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-decimal.h"
#include "ww-text-refused.h"
#include "ww-text-reading.h"

/* So many lines are looked at: enough that one damaged line does not decide. */
#define MAX_LINES 64
#define MAX_SHOWN 40

typedef struct
{
  const char *start, *end; /* trimmed */
  gsize number;            /* in the file, from 1 */
} Line;

typedef struct
{
  WwSource *source;
  Line lines[MAX_LINES];
  guint n;
  gboolean last_is_open; /* the file ends without a line break: its last line may be cut */
} Sample;

const char *
ww_text_layout_trim (const WwTextLayout *layout, const char *start, const char *end)
{
  while (end > start && (end[-1] == '\r' || ww_text_layout_separates (layout, end[-1])))
    end--;

  return end;
}

const char *
ww_text_layout_trim_line (const char *start, const char *end)
{
  const WwTextLayout any = { TRUE, TRUE };

  return ww_text_layout_trim (&any, start, end);
}

const char *
ww_text_layout_field_start (const WwTextLayout *layout, const char *start, const char *end)
{
  while (end > start && !ww_text_layout_separates (layout, end[-1]))
    end--;

  return end;
}

/* The numbers at the end of a line, not counting its first field, which is the word or its
 * beginning. */
static gsize
count_numbers (const WwTextLayout *layout, const Line *line)
{
  const char *end = line->end;
  gsize n = 0;

  for (;;)
    {
      const char *field = ww_text_layout_field_start (layout, line->start, end);

      if (field == line->start || !ww_decimal_is_number (field, end))
        return n;
      n++;
      end = ww_text_layout_trim (layout, line->start, field);
    }
}

static gsize
count_fields (const WwTextLayout *layout, const Line *line)
{
  const char *end = line->end;
  gsize n = 0;

  while (end > line->start)
    {
      end = ww_text_layout_trim (layout, line->start,
                                 ww_text_layout_field_start (layout, line->start, end));
      n++;
    }

  return n;
}

static void
split_lines (Sample *sample, const char *text, gsize length, gboolean complete)
{
  const char *at = text, *end = text + length;
  gsize number = 0;

  while (at < end && sample->n < MAX_LINES)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *stop = newline != NULL ? newline : end;

      /* A line that is cut by the end of the sample says nothing, unless it is all there is. */
      if (newline == NULL && !complete && sample->n > 0)
        break;
      sample->lines[sample->n].number = ++number;
      sample->lines[sample->n].start = at;
      sample->lines[sample->n].end = ww_text_layout_trim_line (at, stop);
      if (sample->lines[sample->n].end > at)
        {
          sample->n++;
          sample->last_is_open = newline == NULL;
        }
      at = newline != NULL ? newline + 1 : end;
    }
}

static gboolean
parse_count (const char *start, const char *end, gsize *ret_count)
{
  gsize count = 0;

  if (start == end || end - start > 18)
    return FALSE;
  for (; start < end; start++)
    {
      if (!g_ascii_isdigit (*start))
        return FALSE;
      count = count * 10 + (gsize) (*start - '0');
    }

  *ret_count = count;
  return TRUE;
}

/* Two whole numbers and nothing else. */
static gboolean
is_header (const Line *line, gsize *ret_words, gsize *ret_dims)
{
  const WwTextLayout any = { TRUE, TRUE };
  const char *second = ww_text_layout_field_start (&any, line->start, line->end);
  const char *first_end = ww_text_layout_trim (&any, line->start, second);

  return second > line->start && parse_count (line->start, first_end, ret_words)
         && parse_count (second, line->end, ret_dims);
}

/* Only byte 0x20 separates, unless the numbers are not to be had that way and tabs are there. */
static void
guess_separators (const Line *line, WwTextLayout *layout)
{
  const WwTextLayout by_space = { TRUE, FALSE }, by_tab = { FALSE, TRUE };
  gsize spaces = count_numbers (&by_space, line), tabs = count_numbers (&by_tab, line);
  const WwTextLayout both = { TRUE, TRUE };

  layout->space = TRUE;
  layout->tab = FALSE;
  if (tabs > spaces && count_numbers (&both, line) == tabs)
    {
      layout->space = FALSE;
      layout->tab = TRUE;
    }
  else if (count_numbers (&both, line) > spaces)
    layout->tab = TRUE; /* "word<tab>1 2 3" */
}

/* The most frequent count of numbers. Of two that are as frequent the larger, so that the other line
 * is reported as too short and does not turn a number into a part of a word. */
static gsize
guess_dims (const WwTextLayout *layout, const Line *lines, guint n)
{
  gsize counts[MAX_LINES];
  gsize best = 0;
  guint best_votes = 0;

  for (guint i = 0; i < n; i++)
    counts[i] = count_numbers (layout, &lines[i]);
  for (guint i = 0; i < n; i++)
    {
      guint votes = 0;

      for (guint k = 0; k < n; k++)
        votes += counts[k] == counts[i];
      if (votes > best_votes || (votes == best_votes && counts[i] > best))
        {
          best = counts[i];
          best_votes = votes;
        }
    }

  return best;
}

static char *
dup_shown (const char *start, const char *end)
{
  gsize length = (gsize) MIN (end - start, MAX_SHOWN);
  g_autofree char *valid = g_utf8_make_valid (start, (gssize) length);

  for (char *c = valid; *c != '\0'; c++)
    if ((guchar) *c < 32)
      *c = ' ';
  return g_strdup_printf ("%s%s", valid, (gsize) (end - start) > length ? "..." : "");
}

/* "0,25" where "0.25" is meant: what stands behind the word has a comma among digits, and nothing
 * else that is no number. */
static gboolean
has_comma_decimals (const Line *line, const char **ret_field)
{
  const WwTextLayout any = { TRUE, TRUE };
  const char *field = ww_text_layout_field_start (&any, line->start, line->end);
  g_autofree char *dotted = g_strndup (field, (gsize) (line->end - field));
  const char *end = line->end;

  if (strchr (dotted, ',') == NULL || field == line->start)
    return FALSE;
  g_strdelimit (dotted, ",", '.');
  if (!ww_decimal_is_number (dotted, dotted + strlen (dotted)))
    return FALSE;

  /* The first of them is the one to show. */
  while (field > line->start && (memchr (field, ',', (gsize) (end - field)) != NULL))
    {
      *ret_field = field;
      end = ww_text_layout_trim (&any, line->start, field);
      field = ww_text_layout_field_start (&any, line->start, end);
    }
  return TRUE;
}

static gboolean
fail_without_numbers (const Sample *sample, const Line *line, GError **error)
{
  g_autofree char *shown = dup_shown (line->start, line->end);
  const char *field = line->start;

  if (has_comma_decimals (line, &field))
    {
      g_autofree char *number = dup_shown (field, line->end);

      number[strcspn (number, " \t")] = '\0';
      ww_source_set_error (sample->source, error, WW_SET_ERROR_NUMBER,
                           _("line %zu, column %ld: \"%s\" has a decimal comma; a decimal dot was expected. To"
                             " convert:\n  sed -E 's/ (-?[0-9]+),([0-9]+)/ \\1.\\2/g' in.txt > out.txt"),
                           line->number, g_utf8_strlen (line->start, field - line->start) + 1,
                           number);
    }
  else
    ww_source_set_error (sample->source, error, WW_SET_ERROR_UNKNOWN,
                         _("no kind of file that is known here. Line %zu is \"%s\"; a table of word vectors has"
                           " lines such as \"word 0.1 -0.2 0.3\". Also read: .npy and .npz, safetensors, GGUF, the"
                           " Embedding Projector's files, and folders with a checkpoint"), line->number, shown);
  return FALSE;
}

/* The first lines may be titles and remarks. */
static gboolean
refuse_separators (const Sample *sample, guint first, GError **error)
{
  for (guint i = first; i < MIN (sample->n, first + 3); i++)
    if (ww_text_refuse_separators (sample->source, sample->lines[i].start, sample->lines[i].end,
                                   sample->lines[i].number, error))
      return TRUE;

  return FALSE;
}

static gboolean
check_header (const Sample *sample, const WwTextLayout *layout, gsize declared_dims,
              GError **error)
{
  if (declared_dims == layout->dims)
    return TRUE;

  ww_source_set_error (sample->source, error, WW_SET_ERROR_SHAPE,
                       _("line %zu says %zu numbers a line, line %zu has %zu"), sample->lines[0].number,
                       declared_dims, sample->lines[1].number, layout->dims);
  return FALSE;
}

/* The original word2vec writes the same header in front of binary numbers. A stray control character
 * in a word of a web crawl does not make a file binary. */
static gboolean
is_binary (const char *text, gsize length)
{
  gsize controls = 0;

  for (gsize i = 0; i < length; i++)
    controls += (guchar) text[i] < 32 && text[i] != '\t' && text[i] != '\n' && text[i] != '\r';

  return memchr (text, '\0', length) != NULL || controls > length / 100;
}

static gboolean
refuse_binary (const Sample *sample, GError **error)
{
  ww_source_set_error (sample->source, error, WW_SET_ERROR_UNKNOWN,
                       _("binary content of no kind that is known here. Read are tables of word vectors (GloVe,"
                         " word2vec, fastText), .npy and .npz, safetensors, GGUF, the Embedding Projector's files"
                         " and folders with a checkpoint"));
  return FALSE;
}

/* The line that shows what separates: the first, or, where it is known to be a table, the first with numbers, so that a
 * line of titles is found out as such. */
static guint
find_numbers (const Sample *sample, guint first, const WwTextHints *hints)
{
  const WwTextLayout any = { TRUE, TRUE };

  for (guint i = first; i < sample->n && hints->reading != WW_READING_GUESSED; i++)
    if (count_numbers (&any, &sample->lines[i]) > 0)
      return i;

  return first;
}

/* What was asked for, without a look at what the lines seem to be. */
static gboolean
apply_reading (const Sample *sample, WwReading reading, gsize fields, WwTextLayout *layout, GError **error)
{
  const WwTextLayout any = { TRUE, TRUE };

  if (reading == WW_READING_GLOVE)
    layout->has_header = FALSE;
  else if (reading == WW_READING_TENSORS)
    {
      layout->has_header &= count_fields (&any, &sample->lines[0]) != fields;
      layout->wordless = TRUE;
    }
  else if (!layout->has_header)
    {
      ww_source_set_error (sample->source, error, WW_SET_ERROR_SHAPE,
                           _("line %zu is no pair of counts (words and numbers), with which a word2vec table begins"),
                           sample->lines[0].number);
      return FALSE;
    }

  return TRUE;
}

/* Lines of numbers alone are words that are numbers, or vectors without words. */
static void
guess_reading (const WwTextFacts *facts, gsize fields, gsize declared_dims, gboolean has_list, WwTextLayout *layout)
{
  WwTextGuess guess;

  /* The counts say how many numbers there are, unless they may be a line like the others. */
  if (layout->has_header && fields != 2)
    {
      layout->wordless = declared_dims == fields;
      return;
    }
  /* Two counts above as many lines of two numbers: as well a header as a line. */
  if (layout->has_header && layout->declared_words == facts->n_lines && declared_dims <= fields)
    {
      layout->unclear = TRUE;
      layout->has_header = layout->wordless = declared_dims == fields;
      return;
    }
  layout->has_header = FALSE;
  guess = ww_text_facts_guess (facts, layout, has_list);
  if (guess == WW_TEXT_MAYBE_WORDS && fields == 2)
    guess = WW_TEXT_MAYBE_TENSORS; /* points of a plane, rather than words with one number each */
  layout->wordless = guess != WW_TEXT_WORDS && guess != WW_TEXT_MAYBE_WORDS;
  layout->doubtful = guess == WW_TEXT_MAYBE_WORDS || guess == WW_TEXT_MAYBE_TENSORS;
  layout->unclear = guess == WW_TEXT_UNCLEAR;
}

/* One number behind a word is more often a count, a date or the end of a sentence than a vector. */
static gboolean
refuse_one_number (const Sample *sample, const Line *line, GError **error)
{
  g_autofree char *shown = dup_shown (line->start, line->end);

  ww_source_set_error (sample->source, error, WW_SET_ERROR_UNKNOWN,
                       _("no table of vectors: line %zu is \"%s\", with one number at its end. If it is a word and a vector"
                         " of one dimension, say so (command line: --read-as glove)"), line->number, shown);
  return FALSE;
}

static guint
list_readings (gboolean has_header, gboolean all_numbers)
{
  guint words = has_header ? 1u << WW_READING_WORD2VEC : 1u << WW_READING_GLOVE;

  if (!all_numbers)
    return words;
  return words | 1u << WW_READING_GLOVE | 1u << WW_READING_TENSORS;
}

/* Whether there is a header, and words, by what was asked for or else by what the lines have in common. `first`: the
 * first line that is no header. */
static gboolean
settle_reading (const Sample *sample, const WwTextFacts *facts, const WwTextHints *hints, const Line *first,
                gsize declared_dims, WwTextLayout *layout, GError **error)
{
  gsize fields = layout->dims + 1;

  /* Two whole numbers may also be a word that is a number and its only dimension. */
  if (layout->has_header && hints->reading == WW_READING_GUESSED && !facts->all_numbers && layout->dims == 1
      && declared_dims != 1 && count_fields (layout, &sample->lines[1]) == 2)
    layout->has_header = FALSE;
  layout->readings = list_readings (layout->has_header, facts->all_numbers);
  if (hints->reading != WW_READING_GUESSED)
    return apply_reading (sample, hints->reading, fields, layout, error);

  if (facts->all_numbers)
    guess_reading (facts, fields, declared_dims, hints->has_list, layout);
  if (layout->dims == 1 && !layout->has_header && !layout->wordless && !layout->unclear)
    return refuse_one_number (sample, first, error);
  return TRUE;
}

/* A header and lines of one field each, or of nothing but words. */
static gboolean
check_sample (const Sample *sample, const WwTextLayout *layout, gsize declared_dims, GError **error)
{
  if (sample->n == 0)
    {
      ww_source_set_error (sample->source, error, WW_SET_ERROR_EMPTY, _("nothing but empty lines"));
      return FALSE;
    }
  if (layout->has_header && sample->n == 1 && declared_dims != 1)
    {
      ww_source_set_error (sample->source, error, WW_SET_ERROR_TRUNCATED,
                           _("line 1 announces %zu words of %zu numbers, but no line follows"),
                           layout->declared_words, declared_dims);
      return FALSE;
    }

  return TRUE;
}

gboolean
ww_text_layout_guess (WwSource *source, const char *text, gsize length, gboolean complete,
                      const WwTextHints *hints, WwTextLayout *ret_layout, GError **error)
{
  Sample sample = { source };
  WwTextLayout layout = { 0 };
  gsize declared_dims = 0;
  WwTextFacts facts;
  guint skip, n;

  if (ww_text_refuse_content (source, text, length, error))
    return FALSE;
  split_lines (&sample, text, length, complete);
  if (is_binary (text, MIN (length, 65536)))
    return refuse_binary (&sample, error);
  layout.has_header = sample.n > 0 && is_header (&sample.lines[0], &layout.declared_words, &declared_dims);
  if ((hints->reading == WW_READING_GUESSED || hints->reading == WW_READING_WORD2VEC || sample.n == 0)
      && !check_sample (&sample, &layout, declared_dims, error))
    return FALSE;

  skip = layout.has_header && sample.n > 1 ? 1 : 0;
  n = sample.n - skip;
  guess_separators (&sample.lines[find_numbers (&sample, skip, hints)], &layout);
  layout.dims = guess_dims (&layout, sample.lines + skip, n > 1 && sample.last_is_open ? n - 1 : n);
  if (layout.dims == 0 && refuse_separators (&sample, skip, error))
    return FALSE;
  if (layout.dims == 0 && hints->reading != WW_READING_TENSORS)
    return fail_without_numbers (&sample, &sample.lines[skip], error);

  if (skip == 0 && hints->reading == WW_READING_GUESSED)
    layout.has_header = FALSE;
  facts = ww_text_facts_find (&layout, text, length, complete);
  if (!settle_reading (&sample, &facts, hints, &sample.lines[skip], declared_dims, &layout, error)
      || (layout.has_header && !layout.wordless && !check_header (&sample, &layout, declared_dims, error)))
    return FALSE;
  if (layout.wordless)
    layout.dims++; /* what stands in the place of the word is a number too */

  *ret_layout = layout;
  return TRUE;
}
