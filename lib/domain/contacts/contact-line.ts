import type { ContactRecord } from '../../entities/contacts.ts';

/** The parts of a contact line. */
export interface ContactLine {
  readonly Name?: string;
  readonly Email?: string;
  readonly Phone?: string;
}

/**
 * `Jane Doe <jane@example.com>`, or with a phone number, by which another account finds the contact; `""` if it has
 * neither.
 */
export function formatContactLine({ Name, Email, Phone }: ContactRecord): string {
  if (Email) return Name ? `${Name} <${Email}>` : Email;
  return Name && Phone ? `${Name} <${Phone}>` : '';
}

export function parseContactLine(line: string): ContactLine {
  const text = line.trim();
  const from = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  const inner = from < 0 ? '' : text.slice(from + 1, -1);
  // `Jane <>` and `Jane <a>b>` do not have this form.
  const hasAddress = inner !== '' && !inner.includes('>');
  const name = hasAddress ? text.slice(0, from).trim() : '';
  const address = hasAddress ? inner : line;
  const Name = name ? { Name: name } : {};
  return address.includes('@') ? { ...Name, Email: address.trim() } : name ? { ...Name, Phone: address.trim() } : {};
}

/** Why a line does not identify a contact. */
export function contactLineError(line: string): string | false {
  const { Email, Phone } = parseContactLine(line);
  return !Email && !Phone && 'must be like `Jane Doe <jane@example.com>`, or with a phone number';
}
