#include "ww-preview-look.h"

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const WwOrigin *origin = data;
  const WwOpenOptions options = ww_origin_get_options (origin);
  GError *error = NULL;
  WwPreview *preview = ww_set_preview (origin->file, &options, cancellable, &error);

  if (preview != NULL)
    g_task_return_pointer (task, preview, (GDestroyNotify) ww_preview_free);
  else
    g_task_return_error (task, error);
}

void
ww_preview_look_async (gpointer            source,
                       const WwOrigin     *origin,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (origin != NULL && origin->file != NULL);

  task = g_task_new (source, cancellable, callback, user_data);
  g_task_set_task_data (task, ww_origin_copy (origin), (GDestroyNotify) ww_origin_free);
  g_task_set_return_on_cancel (task, TRUE); /* a file that answers slowly holds nobody up */
  g_task_run_in_thread (task, look_in_thread);
}

WwPreview *
ww_preview_look_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
