import { canary } from '../../lib/api/workers/canary.ts';
import { writeCanaryKey } from '../../lib/store/accounts/canary.ts';
import { checkApi } from '../../lib/workflows/canary/check-api.ts';

/** Makes a change through the API every 5 minutes and waits for its event. */
export const handler = canary({ writeKey: writeCanaryKey, check: checkApi });
