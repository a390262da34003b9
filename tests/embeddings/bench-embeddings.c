/* Opening of large files: a table of 4 GB without reading it, a GloVe text against plain C loaders in the same run,
 * word2vec in binary, how soon a long load is given up, and WordPiece. The files are made on the fly in the folder for
 * temporary files, one large one at a time, and removed, whatever ends the program.
 *
 *   bench-embeddings [MEGABYTES OF TEXT] */
#include <locale.h>
#include <signal.h>

#include "bench-util.h"
#include "test-util.h"
#include "ww-preview.h"

#define GIGA_ROWS 262144
#define GIGA_COLS 4096
#define MANY_ROWS (16 * GIGA_ROWS) /* as many numbers, in short rows and without words */
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

static const char *const files[] = { "array.npy", "array.txt", "tensors.safetensors", "tensors.txt", "glove.txt",
                                     "vectors.bin" };
static char *paths[G_N_ELEMENTS (files)]; /* made before anything can end the program */

static void
remove_files (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    unlink (paths[i]);
  rmdir (folder);
}

static void
remove_and_end (int number)
{
  remove_files ();
  signal (number, SIG_DFL);
  raise (number);
}

/* The folder, if it has room for twice the larger of the files that are not full of holes. */
static gboolean
prepare (gsize megabytes)
{
  static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGTRAP };
  g_autoptr (GFile) place = NULL;
  g_autoptr (GFileInfo) info = NULL;

  folder = g_dir_make_tmp ("wordsway-bench-XXXXXX", NULL);
  g_assert_nonnull (folder);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    paths[i] = dup_path (files[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    signal (ends[i], remove_and_end);

  place = g_file_new_for_path (folder);
  info = g_file_query_filesystem_info (place, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);
  return info == NULL
         || g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE) / 2000000 >= megabytes;
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
open_sparse (const char *path, const char *kind, const char *words)
{
  double resident = get_resident_megabytes (), grown;
  BenchTime start = bench_now (), time;
  g_autofree char *growth = g_strdup_printf ("%s, growth", kind);
  g_autoptr (WwSet) set = open_path (path);

  use_words (set, words);
  time = bench_since (start);
  grown = get_resident_megabytes () - resident;
  bench_print_time (kind, time, 150);
  bench_print_ratio (growth, grown, "MB resident", 50, 50 / MAX (grown, 0.1));
}

static char *
write_sparse_npy (void)
{
  g_autofree char *header = g_strdup_printf ("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }\n",
                                             GIGA_ROWS, GIGA_COLS);
  g_autoptr (GString) npy = g_string_new_len ("\x93NUMPY\1\0", 8);

  g_string_append_c (npy, (char) strlen (header));
  g_string_append_c (npy, '\0');
  g_string_append (npy, header);
  return write_sparse ("array.npy", npy->str, npy->len);
}

static char *
write_sparse_tensor (const char *name, int rows)
{
  int cols = (int) ((gint64) GIGA_ROWS * GIGA_COLS / rows);
  g_autofree char *json = g_strdup_printf ("{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],"
                                           "\"data_offsets\":[0,%" G_GUINT64_FORMAT "]}}", rows, cols,
                                           (guint64) rows * (guint64) cols * 4);
  guint64 length = GUINT64_TO_LE ((guint64) strlen (json));
  g_autoptr (GString) tensors = g_string_new_len ((const char *) &length, sizeof length);

  g_string_append (tensors, json);
  return write_sparse (name, tensors->str, tensors->len);
}

static void
bench_sparse (void)
{
  g_autofree char *array = write_sparse_npy (), *file = write_sparse_tensor ("tensors.safetensors", GIGA_ROWS);
  g_autofree char *many = write_sparse_tensor ("many.safetensors", MANY_ROWS);

  write_list ("array.txt");
  write_list ("tensors.txt");
  open_sparse (array, "4 GB .npy, 262144 words", "word1 word2 word70000 word262143");
  open_sparse (file, "4 GB .safetensors, 262144 words", "word1 word2 word70000 word262143");
  open_sparse (many, "4 GB .safetensors, 4194304 rows without words", "1 2 70000 4194303");
  g_unlink (array);
  g_unlink (file);
  g_unlink (many);
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

typedef struct
{
  GCancellable *cancellable;
  gint64 asked; /* when it was asked to give up */
} Giving;

/* In the middle of a load, by what it says of its progress. */
static void
give_up (double fraction, gpointer user_data)
{
  Giving *giving = user_data;

  if (fraction < 0.3 || giving->asked != 0)
    return;

  giving->asked = g_get_monotonic_time ();
  g_cancellable_cancel (giving->cancellable);
}

static void
bench_cancel (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Giving giving = { cancellable, 0 };
  BenchTime time;

  g_assert_null (ww_set_open (file, cancellable, give_up, &giving, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (giving.asked, >, 0);
  time.wall = time.processor = (double) (g_get_monotonic_time () - giving.asked) / G_USEC_PER_SEC;
  bench_print_time ("giving up a GloVe text in the middle", time, 100);
}

static void
bench_text (gsize megabytes)
{
  g_autofree char *path = dup_path ("glove.txt");
  gsize bytes = write_glove (path, megabytes * 1000000), words;
  BenchTime start = bench_now (), ours, by_strtod, by_scanf;
  g_autofree char *what = NULL;

  {
    g_autoptr (WwSet) set = open_path (path);

    use_words (set, "w1 w2 w100");
    ours = bench_since (start);
    words = ww_set_get_n_entries (set);
  }
  start = bench_now ();
  g_assert_cmpuint (load_by_strtod (path), ==, words);
  by_strtod = bench_since (start);
  start = bench_now ();
  g_assert_cmpuint (load_by_scanf (path), ==, words);
  by_scanf = bench_since (start);

  what = g_strdup_printf ("GloVe text, %.0f MB, %" G_GSIZE_FORMAT " x %d", (double) bytes / 1e6, words, TEXT_DIMS);
  bench_print_speed (what, (double) bytes / 1e6, ours, 150);
  bench_print_ratio ("  a loader with fscanf, processor time", by_scanf.processor / ours.processor, "times as long", 5,
                     by_scanf.processor / ours.processor / 5);
  g_print ("  a loader with getline and strtod: %.2f times as long\n", by_strtod.processor / ours.processor);
  bench_cancel (path);
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
  BenchTime start;
  g_autoptr (WwSet) set = NULL;

  g_assert_nonnull (file);
  fprintf (file, "%" G_GSIZE_FORMAT " %d\n", words, DIMS);
  for (gsize i = 0; i < words; i++)
    {
      fprintf (file, "w%" G_GSIZE_FORMAT " ", i);
      g_assert_cmpuint (fwrite (row, sizeof *row, DIMS, file), ==, DIMS);
    }
  g_assert_cmpint (fclose (file), ==, 0);

  start = bench_now ();
  set = open_path (path);
  use_words (set, "w1 w2 w100");
  bench_print_time ("word2vec in binary, of the same size", bench_since (start), 0);
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
  BenchTime best = { G_MAXDOUBLE, G_MAXDOUBLE };

  while (english->len < ENGLISH_BYTES)
    for (gsize i = 0; i < n; i++)
      g_string_append_printf (english, "%s\n", texts[i].text);
  for (gsize i = 0; i < best_of; i++)
    {
      BenchTime start = bench_now ();
      g_autoptr (WwTokens) tokens = ww_set_tokenise (set, english->str, TRUE, &error);

      g_assert_no_error (error);
      best = bench_best (best, bench_since (start));
      g_assert_cmpuint (tokens->n, >, 0);
    }
  bench_print_speed ("WordPiece of the sample, 1 MB of English", (double) english->len / 1e6, best, 20);
}

int
main (int argc, char **argv)
{
  gsize megabytes = argc > 1 ? strtoul (argv[1], NULL, 10) : DEFAULT_MEGABYTES;

  setlocale (LC_ALL, "");
  if (prepare (megabytes))
    {
      bench_sparse ();
      bench_wordpiece ();
      bench_word2vec (megabytes);
      bench_text (megabytes);
    }
  else
    g_print ("Skipped: %s has no room for twice %" G_GSIZE_FORMAT " MB\n", folder, megabytes);

  remove_files ();
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    g_free (paths[i]);
  g_free (folder);
  return 0;
}
