import { extractText, getDocumentProxy } from 'unpdf';

/** The text of the PDF at a link, on one line. */
export async function textOfPdf(link: string): Promise<string> {
  const pdf = new Uint8Array(await (await fetch(link)).arrayBuffer());
  return (await extractText(await getDocumentProxy(pdf), { mergePages: true })).text.replaceAll(/\s+/g, ' ');
}
