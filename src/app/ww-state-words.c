#include "ww-state-words.h"

#include <glib/gi18n.h>

const char *
ww_state_get_name (WwState state)
{
  switch (state)
    {
    case WW_STATE_EMPTY:
      return _ ("Nothing to Measure");
    case WW_STATE_LOADING:
      return _ ("Loading");
    case WW_STATE_WORKING:
      return _ ("Working");
    case WW_STATE_DONE:
      return _ ("Done");
    case WW_STATE_CANCELLED:
      return _ ("Stopped");
    case WW_STATE_FAILED:
      return _ ("Failed");
    default:
      g_return_val_if_reached ("");
    }
}

const char *
ww_state_get_icon_name (WwState state)
{
  switch (state)
    {
    case WW_STATE_EMPTY:
      return "format-text-plaintext-symbolic";
    case WW_STATE_LOADING:
      return "document-open-symbolic";
    case WW_STATE_WORKING:
      return "media-playback-start-symbolic";
    case WW_STATE_DONE:
      return "object-select-symbolic";
    case WW_STATE_CANCELLED:
      return "media-playback-stop-symbolic";
    case WW_STATE_FAILED:
      return "dialog-warning-symbolic";
    default:
      g_return_val_if_reached ("");
    }
}

char *
ww_state_describe (WwState state, const char *message)
{
  if (message == NULL)
    return g_strdup (ww_state_get_name (state));
  switch (state)
    {
    case WW_STATE_EMPTY:
      /* Translators: %s is a sentence. */
      return g_strdup_printf (_ ("Nothing to measure: %s"), message);
    case WW_STATE_FAILED:
      /* Translators: %s is a sentence that says why. */
      return g_strdup_printf (_ ("Failed: %s"), message);
    default:
      return g_strdup (message);
    }
}
