import { getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { wordingOf } from '../../lib/pages/language.ts';
import { proposalPdf } from '../../lib/pages/pdf/proposal.ts';
import { NOW, proposalViewOf } from '../support/page-views.ts';

const PROOF = 'f'.repeat(64);

/** The text of each page of a signed proposal with so many lines of notes. */
async function pagesOf(lines: number): Promise<string[]> {
  const view = proposalViewOf('Perennials');
  const content = {
    ...view.content,
    CustomerNotes: Array.from({ length: lines }, (_, line) => `Row ${line}`).join('\n'),
  };
  const state = { kind: 'accepted', by: 'Ana', byKey: '', at: NOW, evidence: PROOF, deposit: undefined } as const;
  const { content: bytes } = await proposalPdf(wordingOf('en', 'US'), { ...view, content, state });
  const document = await getDocumentProxy(new Uint8Array(bytes));
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, index) => {
      const { items } = await (await document.getPage(index + 1)).getTextContent();
      return items.map((item) => ('str' in item ? item.str : '')).join(' ');
    }),
  );
}

test('the heading of an acceptance, who accepted and the proof stand on one page, wherever the notes end', async () => {
  for (let lines = 1; lines <= 46; lines += 3) {
    const pages = await pagesOf(lines);
    const [heading, ...others] = pages.filter((text) => text.includes('Ana accepted this proposal'));
    expect([heading?.includes('Accepted '), heading?.includes(PROOF), others.length], `${lines} lines`).toEqual([
      true,
      true,
      0,
    ]);
  }
});
