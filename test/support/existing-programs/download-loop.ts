import { parse } from 'csv-parse/sync';
import { type Fields, type Post, answerOf } from './post.ts';

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** The body of getdownload as the program takes it: JSON if it is, else the text of the file. */
async function textOf(response: Response): Promise<string> {
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${body}`);
  return body;
}

/**
 * Starts a download, asks whether it is ready, reads the rows of its answer, and begins again behind the highest Id
 * until a file has no row.
 */
export async function downloadAll(
  post: Post,
  request: Fields,
  milliseconds = 5_000,
): Promise<Record<string, string>[]> {
  const table: Record<string, string>[] = [];
  for (let RowId = 0; ; RowId = Math.max(...table.map(({ Id }) => Number(Id))) + 1) {
    const { DownloadId } = await answerOf(await post('datasubscriber/startdownload', { ...request, RowId }));
    while (!(await answerOf(await post('datasubscriber/downloadstatus', { DownloadId })))['Ready'])
      await pause(milliseconds);
    const text = await textOf(await post('datasubscriber/getdownload', { DownloadId }));
    const rows = parse(text, { columns: true }) as Record<string, string>[];
    if (!rows.length) return table;
    table.push(...rows);
  }
}
