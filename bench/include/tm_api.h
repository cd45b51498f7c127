// SPDX-License-Identifier: MIT
//
// The header name under which a Thread-Metric port includes the interface that it implements.
#include <thread_metric/tm_api.h>
