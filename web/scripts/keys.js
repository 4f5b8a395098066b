// Writes the type of all keys of the page's texts, which the checker needs.

import { writeKeys } from './messages.js';

writeKeys();
