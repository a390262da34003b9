/* Opening of large files: a table of 4 GB without reading it, a GloVe text against plain C loaders in the same run,
 * word2vec in binary, and WordPiece. The files are made on the fly in the folder for temporary files and removed.
 *
 *   bench-embeddings [MEGABYTES OF TEXT] */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <glib/gstdio.h>

#include "test-util.h"
#include "ww-preview.h"

#define GIGA_ROWS 262144
#define GIGA_COLS 4096
#define TEXT_DIMS 100
#define DEFAULT_MEGABYTES 300
#define MAX_WORD 256
#define ENGLISH_BYTES (1 << 20)

static char *folder;

static char *
dup_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* Processor time, which a busy machine does not change; what is printed as waited for is time on the wall. */
static double
get_seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

static double
get_wall_seconds (void)
{
  return (double) g_get_monotonic_time () / G_USEC_PER_SEC;
}

static double
get_resident_megabytes (void)
{
  g_autofree char *text = NULL;
  unsigned long size = 0, resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%lu %lu", &size, &resident), ==, 2);
  return (double) resident * (double) sysconf (_SC_PAGESIZE) / 1e6;
}

static WwSet *
open_path (const char *path)
{
  g_autoptr (GError) error = NULL;
  WwSet *set = ww_set_open_argument (path, NULL, &error);

  g_assert_no_error (error);
  return set;
}

static void
use_words (WwSet *set, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, text, TRUE, &error);
  g_autoptr (WwMatrix) rows = NULL;

  g_assert_no_error (error);
  rows = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->rows, >, 0);
}

/* A file with holes: it takes 4 GB of names, not of disk. */
static char *
write_sparse (const char *name, const char *head, gsize length)
{
  char *path = dup_path (name);
  off_t size = (off_t) length + (off_t) GIGA_ROWS * GIGA_COLS * (off_t) sizeof (float);

  test_write_file (path, head, length);
  g_assert_cmpint (truncate (path, size), ==, 0);
  return path;
}

static void
write_list (const char *name)
{
  g_autofree char *path = dup_path (name);
  g_autoptr (GString) list = g_string_new (NULL);

  for (int i = 0; i < GIGA_ROWS; i++)
    g_string_append_printf (list, "word%d\n", i);
  test_write_file (path, list->str, list->len);
}

static void
open_sparse (const char *path, const char *kind)
{
  double resident = get_resident_megabytes (), start = get_seconds (), wall = get_wall_seconds (), seconds;
  g_autoptr (WwSet) set = open_path (path);

  use_words (set, "word1 word2 word70000 word262143");
  seconds = get_seconds () - start;
  wall = get_wall_seconds () - wall;
  g_print ("%-34s %6.1f ms of processor, %.1f ms waited, %.1f MB more resident (targets: 150 ms, 50 MB)\n", kind,
           1e3 * seconds, 1e3 * wall, get_resident_megabytes () - resident);
}

static void
bench_sparse (void)
{
  g_autofree char *header = g_strdup_printf ("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }\n",
                                             GIGA_ROWS, GIGA_COLS);
  g_autofree char *json = g_strdup_printf ("{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],"
                                           "\"data_offsets\":[0,%" G_GUINT64_FORMAT "]}}", GIGA_ROWS, GIGA_COLS,
                                           (guint64) GIGA_ROWS * GIGA_COLS * 4);
  g_autoptr (GString) npy = g_string_new_len ("\x93NUMPY\1\0", 8), tensors = g_string_new (NULL);
  g_autofree char *array = NULL, *file = NULL;
  guint64 length = GUINT64_TO_LE ((guint64) strlen (json));

  g_string_append_c (npy, (char) strlen (header));
  g_string_append_c (npy, '\0');
  g_string_append (npy, header);
  g_string_append_len (tensors, (const char *) &length, sizeof length);
  g_string_append (tensors, json);
  array = write_sparse ("array.npy", npy->str, npy->len);
  file = write_sparse ("tensors.safetensors", tensors->str, tensors->len);
  write_list ("array.txt");
  write_list ("tensors.txt");
  open_sparse (array, "4 GB .npy, 262144 words");
  open_sparse (file, "4 GB .safetensors, 262144 words");
  g_unlink (array);
  g_unlink (file);
}

/* "-0.12345", as GloVe writes its numbers. */
static char *
print_number (char *at, guint32 random)
{
  guint32 value = random % 100000;

  *at++ = ' ';
  if (random & 0x80000000)
    *at++ = '-';
  *at++ = '0';
  *at++ = '.';
  for (guint32 unit = 10000; unit > 0; unit /= 10)
    *at++ = (char) ('0' + value / unit % 10);
  return at;
}

static gsize
write_glove (const char *path, gsize bytes)
{
  FILE *file = fopen (path, "w");
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  char line[16 * TEXT_DIMS + MAX_WORD];
  gsize written = 0;

  g_assert_nonnull (file);
  for (gsize word = 0; written < bytes; word++)
    {
      char *at = line + sprintf (line, "w%" G_GSIZE_FORMAT, word);

      for (int c = 0; c < TEXT_DIMS; c++)
        at = print_number (at, g_rand_int (random));
      *at++ = '\n';
      g_assert_cmpuint (fwrite (line, 1, (gsize) (at - line), file), ==, (gsize) (at - line));
      written += (gsize) (at - line);
    }
  g_assert_cmpint (fclose (file), ==, 0);
  return written;
}

/* What everybody writes first: a word and its numbers by fscanf, each row kept. */
static gsize
load_by_scanf (const char *path)
{
  FILE *file = fopen (path, "r");
  char word[MAX_WORD];
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_assert_nonnull (file);
  while (fscanf (file, "%255s", word) == 1)
    {
      float *row = g_new (float, TEXT_DIMS);

      for (int c = 0; c < TEXT_DIMS; c++)
        g_assert_cmpint (fscanf (file, "%f", &row[c]), ==, 1);
      g_hash_table_insert (words, g_strdup (word), row);
      g_ptr_array_add (rows, row);
    }
  fclose (file);
  return rows->len;
}

/* The next step: lines by getline, numbers by strtod. */
static gsize
load_by_strtod (const char *path)
{
  FILE *file = fopen (path, "r");
  char *line = NULL;
  size_t capacity = 0;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_assert_nonnull (file);
  while (getline (&line, &capacity, file) > 0)
    {
      float *row = g_new (float, TEXT_DIMS);
      char *at = strchr (line, ' ');

      g_hash_table_insert (words, g_strndup (line, (gsize) (at - line)), row);
      for (int c = 0; c < TEXT_DIMS; c++)
        row[c] = (float) strtod (at, &at);
      g_ptr_array_add (rows, row);
    }
  free (line);
  fclose (file);
  return rows->len;
}

static void
bench_text (gsize megabytes)
{
  g_autofree char *path = dup_path ("glove.txt");
  gsize bytes = write_glove (path, megabytes * 1000000), words;
  double start = get_seconds (), ours, scanf_seconds, strtod_seconds;

  {
    g_autoptr (WwSet) set = open_path (path);

    use_words (set, "w1 w2 w100");
    ours = get_seconds () - start;
    words = ww_set_get_n_entries (set);
  }
  start = get_seconds ();
  g_assert_cmpuint (load_by_strtod (path), ==, words);
  strtod_seconds = get_seconds () - start;
  start = get_seconds ();
  g_assert_cmpuint (load_by_scanf (path), ==, words);
  scanf_seconds = get_seconds () - start;

  g_print ("%.0f MB of GloVe text, %" G_GSIZE_FORMAT " x %d: %.2f s of processor, %.0f MB/s (target: 150)\n", (double) bytes / 1e6,
           words, TEXT_DIMS, ours, (double) bytes / 1e6 / ours);
  g_print ("  fscanf %.2f s of processor: %.1f x as long (target: 5); getline and strtod %.2f s: %.1f x\n", scanf_seconds,
           scanf_seconds / ours, strtod_seconds, strtod_seconds / ours);
  g_unlink (path);
}

static void
bench_word2vec (gsize megabytes)
{
  enum { DIMS = 300 };
  g_autofree char *path = dup_path ("vectors.bin");
  gsize words = megabytes * 1000000 / (DIMS * sizeof (float) + 8);
  g_autofree float *row = g_new0 (float, DIMS);
  FILE *file = fopen (path, "w");
  double start;
  g_autoptr (WwSet) set = NULL;

  g_assert_nonnull (file);
  fprintf (file, "%" G_GSIZE_FORMAT " %d\n", words, DIMS);
  for (gsize i = 0; i < words; i++)
    {
      fprintf (file, "w%" G_GSIZE_FORMAT " ", i);
      g_assert_cmpuint (fwrite (row, sizeof *row, DIMS, file), ==, DIMS);
    }
  g_assert_cmpint (fclose (file), ==, 0);

  start = get_seconds ();
  set = open_path (path);
  use_words (set, "w1 w2 w100");
  g_print ("%" G_GSIZE_FORMAT " MB of word2vec binary, %" G_GSIZE_FORMAT " x %d: %.2f s\n", megabytes, words, DIMS,
           get_seconds () - start);
  g_unlink (path);
}

static void
bench_wordpiece (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = ww_set_open_builtin (NULL, &error);
  gsize n, best_of = 5;
  const WwExampleText *texts = ww_example_texts_get (&n);
  g_autoptr (GString) english = g_string_new (NULL);
  double best = G_MAXDOUBLE;

  while (english->len < ENGLISH_BYTES)
    for (gsize i = 0; i < n; i++)
      g_string_append_printf (english, "%s\n", texts[i].text);
  for (gsize i = 0; i < best_of; i++)
    {
      double start = get_seconds ();
      g_autoptr (WwTokens) tokens = ww_set_tokenise (set, english->str, TRUE, &error);

      g_assert_no_error (error);
      best = MIN (best, get_seconds () - start);
      g_assert_cmpuint (tokens->n, >, 0);
    }
  g_print ("WordPiece, %.2f MB of English: %.1f ms, %.1f MB/s (target: 20)\n", (double) english->len / 1e6, 1e3 * best,
           (double) english->len / 1e6 / best);
}

int
main (int argc, char **argv)
{
  gsize megabytes = argc > 1 ? strtoul (argv[1], NULL, 10) : DEFAULT_MEGABYTES;
  g_autofree char *array_list = NULL, *tensor_list = NULL;

  setlocale (LC_ALL, "");
  folder = g_dir_make_tmp ("wordsway-bench-XXXXXX", NULL);
  g_assert_nonnull (folder);
  bench_sparse ();
  bench_wordpiece ();
  bench_word2vec (megabytes);
  bench_text (megabytes);

  array_list = dup_path ("array.txt");
  tensor_list = dup_path ("tensors.txt");
  g_unlink (array_list);
  g_unlink (tensor_list);
  g_rmdir (folder);
  g_free (folder);
  return 0;
}
