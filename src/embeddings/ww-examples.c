/* The example texts that come with the program. */
#include <pthread.h>

#include <gio/gio.h>

#include "ww-set-private.h"

/* Marks a title for translation; the window translates it. */
#define N_(text) (text)

#define TEXTS_PATH "/org/wordsway/Wordsway/texts/"

static WwExampleText examples[] = {
  { "ferry", N_ ("The last ferry (a story)"), NULL },
  { "smile", N_ ("I love her smile"), NULL },
  { "park", N_ ("Sunday in the park"), NULL },
  { "review", N_ ("A film review"), NULL },
};

static void
load_texts (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *path = g_strconcat (TEXTS_PATH, examples[i].id, ".txt", NULL);
      g_autoptr (GBytes) bytes = g_resource_lookup_data (ww_embeddings_get_resource (), path,
                                                         G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      gsize length;
      const char *text;

      if (bytes == NULL)
        g_error ("%s is missing in the program: it was built without its resources", path);
      text = g_bytes_get_data (bytes, &length);
      examples[i].text = g_strchomp (g_strndup (text, length));
    }
}

const WwExampleText *
ww_example_texts_get (gsize *ret_n)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  pthread_once (&once, load_texts);
  *ret_n = G_N_ELEMENTS (examples);
  return examples;
}
