import { Document, type YAMLMap, type YAMLSeq, isPair, isScalar, visit } from 'yaml';
import { exportAccount } from './account.ts';
import { shorten } from './entry-format.ts';
import type { AccountContext } from './section.ts';
import { sections } from './sections.ts';

/** Text that looks like a number is quoted even if YAML does not require it, so that readers see that it is text. */
const looksNumeric = (text: string): boolean => /^[-+.\d][\d.+\-eE_]*$/.test(text) && !/^\d{4}-\d\d-\d\d$/.test(text);

/** Small mappings and lists are written on one line: `{ year: 2026, month: 3, budget: 500 }`. */
const MAX_LINE_LENGTH = 100;
const isSmall = (node: YAMLMap | YAMLSeq): boolean =>
  node.items
    .map((item) => (isPair(item) ? item.value : item))
    .every((value) => isScalar(value) && !String(value.value).includes('\n')) &&
  JSON.stringify(node.toJSON()).length < MAX_LINE_LENGTH;

function formatNodes(document: Document): void {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && looksNumeric(node.value)) node.type = 'QUOTE_SINGLE';
    },
    // The path of the file has length 1, that of a section's list 3; the entries of a list get a line each.
    Map: (_, node, path) => {
      if (path.length > 2 && isSmall(node)) node.flow = true;
    },
    Seq: (_, node, path) => {
      if (path.length > 3 && isSmall(node)) node.flow = true;
    },
  });
}

/** The company file of an account: everything that an import reads, without ids. Equal accounts give equal texts. */
export async function exportCompany(context: AccountContext): Promise<string> {
  const company: Record<string, unknown> = { ...(await exportAccount(context)) };
  for (const { key, format, exportEntries } of sections) {
    const entries = await exportEntries(context);
    if (entries.length) company[key] = entries.map((entry) => shorten(entry, format.keyField));
  }
  const document = new Document(company, { aliasDuplicateObjects: false });
  formatNodes(document);
  // A blank line before each list of the file.
  const text = document.toString({ lineWidth: 120, indentSeq: true });
  return text.replaceAll(/\n(?=[a-zA-Z]+:(?: |\n))/g, '\n\n');
}
