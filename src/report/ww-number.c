#include "ww-number.h"

#include <math.h>
#include <string.h>

const char *
ww_number_format (char buffer[WW_NUMBER_BUFFER_SIZE], double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };

  g_return_val_if_fail (buffer != NULL, NULL);

  if (isnan (value))
    return strcpy (buffer, "nan");
  if (isinf (value))
    return strcpy (buffer, value > 0 ? "inf" : "-inf");

  /* 17 digits always suffice for a double; most values need fewer. */
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, WW_NUMBER_BUFFER_SIZE, formats[i], value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }

  return buffer;
}

const char *
ww_number_format_fixed (char buffer[WW_NUMBER_BUFFER_SIZE], double value, guint decimals)
{
  char format[8];

  g_return_val_if_fail (buffer != NULL, NULL);
  g_return_val_if_fail (decimals <= 9, NULL);

  /* Fixed decimals of a huge number would not fit into the buffer. */
  if (!isfinite (value) || fabs (value) >= 1e15)
    return ww_number_format (buffer, value);

  g_snprintf (format, sizeof format, "%%.%uf", decimals);
  g_ascii_formatd (buffer, WW_NUMBER_BUFFER_SIZE, format, value);
  if (buffer[0] == '-' && strspn (buffer + 1, "0.") == strlen (buffer + 1))
    memmove (buffer, buffer + 1, strlen (buffer));

  return buffer;
}
