import { mayReadFiles, toCaller } from '../../lib/api/callers/keys.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { callerContext } from '../../lib/workflows/context.ts';
import { findSignedPath } from '../../lib/workflows/uploads/signed-path.ts';
import { type OfficePage, seeOther } from './office-page.ts';

/** A file of a client: the address at which it is downloaded, for 15 minutes. */
export const file: OfficePage = {
  async show({ id, now, session, store }) {
    if (id === undefined) return undefined;
    const context = callerContext(store.table, toCaller(session, now), now);
    try {
      return seeOther(await findSignedPath(id, context, mayReadFiles));
    } catch (error) {
      if (error instanceof Failure && error.status === 404) return undefined;
      throw error;
    }
  },
};
