#pragma once

#include <adwaita.h>

#include "ww-window.h"

G_BEGIN_DECLS

#define WW_APPLICATION_ID "org.wordsway.Wordsway"

#define WW_TYPE_APPLICATION (ww_application_get_type ())
G_DECLARE_FINAL_TYPE (WwApplication, ww_application, WW, APPLICATION, AdwApplication)

WwApplication *ww_application_new (void);

G_END_DECLS
