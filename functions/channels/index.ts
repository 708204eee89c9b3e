import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';
import { bulkupdate } from './bulkupdate.ts';
import { campaigns } from './campaigns.ts';

export const channels = group('channels', 'Marketing channels with their campaigns, budgets and actual costs.', {
  all,
  bulkupdate,
  campaigns,
});
export const { handler } = channels;
