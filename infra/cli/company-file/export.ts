import { Document, type YAMLMap, type YAMLSeq, isPair, isScalar, visit } from 'yaml';
import { type Section, type Target, keyFieldOf } from './section.ts';
import { accountToFile } from './account.ts';
import { shortened } from './form.ts';

/**
 * Text that looks like a number gets quotes, also where YAML would not need them: people and other programs see that it
 * is text.
 */
const looksNumeric = (text: string): boolean => /^[-+.\d][\d.+\-eE_]*$/.test(text) && !/^\d{4}-\d\d-\d\d$/.test(text);

/** Small things stand on one line: `{ year: 2026, month: 3, budget: 500 }`. */
const LONGEST_LINE = 100;
const isSmall = (node: YAMLMap | YAMLSeq): boolean => {
  const values = node.items.map((item) => (isPair(item) ? item.value : item));
  return (
    values.every((value) => isScalar(value) && !String(value.value).includes('\n')) &&
    JSON.stringify(node.toJSON()).length < LONGEST_LINE
  );
};

function layOut(document: Document): void {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && looksNumeric(node.value)) node.type = 'QUOTE_SINGLE';
    },
    // The file is of depth 1, a section's list of 3: lists keep a line an entry, what entries hold may be small.
    Map: (_, node, path) => {
      if (path.length > 2 && isSmall(node)) node.flow = true;
    },
    Seq: (_, node, path) => {
      if (path.length > 3 && isSmall(node)) node.flow = true;
    },
  });
}

/**
 * The company file of an account: everything that `import` brings, without ids. The same account gives the same text.
 */
export async function exportCompany(target: Target, sections: readonly Section[]): Promise<string> {
  const company: Record<string, unknown> = { ...(await accountToFile(target)) };
  for (const section of sections) {
    const entries = await section.show(target);
    if (entries.length) company[section.key] = entries.map((entry) => shortened(entry, keyFieldOf(section)));
  }
  const document = new Document(company, { aliasDuplicateObjects: false });
  layOut(document);
  // Each list of the file stands apart.
  const text = document.toString({ lineWidth: 120, indentSeq: true });
  return text.replaceAll(/\n(?=[a-zA-Z]+:(?: |\n))/g, '\n\n');
}
