import { brunoFiles } from './bruno.ts';
import { postmanCollection } from './postman.ts';
import { readDocument, toFolders } from './requests.ts';

/** The files of the Postman and the Bruno collection, by path within the collections' folder. */
export function collectionFiles(): ReadonlyMap<string, string> {
  const document = readDocument();
  const folders = toFolders(document);
  return new Map([
    ['postman.json', `${JSON.stringify(postmanCollection(document, folders), null, 2)}\n`],
    ...brunoFiles(document, folders),
  ]);
}
