import { canary } from '../../lib/api/canary.ts';
import { writeCanaryKeys } from '../../lib/store/administration/canary.ts';
import { checkApi } from '../../lib/workflows/canary/check-api.ts';

/** Makes a change through the API every 5 minutes, waits for its event, and queries every index. */
export const handler = canary({ writeKeys: writeCanaryKeys, check: checkApi });
