import { ListReader } from '../../lib/store/dynamodb/lists/list-reader.ts';

/** A reader of its own. */
export const listReader = (program: string, header?: string): ListReader =>
  new ListReader({ key: 'key', address: '192.0.2.1', program, header });
