import { Document, isScalar, visit } from 'yaml';
import { findAccount } from '../../../lib/store/accounts.ts';
import { shortened } from './form.ts';
import type { Section, Target } from './section.ts';

/** Text that YAML would read as a number where it begins with 0 is none here; yet other programs get quotes, and people see that it is text. */
const looksNumeric = (text: string): boolean => /^[-+.\d]/.test(text) && !/[^\d.+\-eE_:]/.test(text);

/** The company file of an account: everything that `import` brings, without ids. The same account gives the same text. */
export async function exportCompany(target: Target, sections: readonly Section[]): Promise<string> {
  const company: Record<string, unknown> = { company: (await findAccount(target.table, target.account))?.Name ?? '' };
  for (const section of sections) {
    const entries = await section.show(target);
    if (entries.length) company[section.key] = entries.map((entry) => shortened(entry, 'name'));
  }
  const document = new Document(company, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === 'string' && looksNumeric(node.value)) node.type = 'QUOTE_SINGLE';
    },
  });
  // Each list of the file stands apart.
  const text = document.toString({ lineWidth: 120, indentSeq: true });
  return text.replaceAll(/\n(?=[a-zA-Z]+:(?: |\n))/g, '\n\n');
}
