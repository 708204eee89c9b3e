import { publicRoute } from '../../lib/api/http/public-route.ts';
import { respond } from '../../lib/api/respond.ts';
import packageFile from '../../package.json' with { type: 'json' };

/**
 * GET /health: whether API Gateway and Lambda respond, and which version. It does not read the table, so that probes
 * cost nothing there; the canary checks that changes become events.
 */
export const health = publicRoute('health/get', async (_, requestId) =>
  respond(
    requestId,
    200,
    JSON.stringify({
      Status: 'ok',
      Version: packageFile.version,
      Stage: process.env['STAGE'] ?? '',
      ResultCode: 0,
      Message: '',
    }),
  ),
);
