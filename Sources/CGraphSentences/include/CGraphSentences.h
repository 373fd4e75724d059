#ifndef CGRAPHSENTENCES_H
#define CGRAPHSENTENCES_H

// Nothing is to be called: to be linked with it is enough.

#endif
