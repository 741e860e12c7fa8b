#include "runtime/dr/Core.h"
namespace echo::dr {
const Handlers OptimizeHandlers = {};
}
