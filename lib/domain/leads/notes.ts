import type { ReadLead } from './read-lead.ts';

/** The texts that a lead leaves: notes of the contact, and the task of the office. */

interface LeadNote {
  readonly Title: string;
  readonly Body: string;
}

/** The most characters of a note; a longer text has several. */
const MAX_NOTE = 20_000;
/** The most characters of the message in the task. */
const MAX_MESSAGE = 1_000;

/** Cuts a text where it is too long, at the end of a line if there is one, and never within a character. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let begin = 0;
  while (text.length - begin > MAX_NOTE) {
    const line = text.lastIndexOf('\n', begin + MAX_NOTE);
    const cut = line > begin + MAX_NOTE / 2 ? line : begin + MAX_NOTE;
    const end = /[\uD800-\uDBFF]/.test(text[cut - 1] ?? '') ? cut - 1 : cut;
    parts.push(text.slice(begin, end));
    begin = end;
  }
  return [...parts, text.slice(begin)];
}

const titled = (title: string, text: string): LeadNote[] => {
  if (!text) return [];
  const parts = partsOf(text);
  return parts.map((Body, index) => ({
    Title: parts.length > 1 ? `${title} (${index + 1} of ${parts.length})` : title,
    Body,
  }));
};

/** The notes with every line of a lead, the answers first. */
export const leadNotes = (form: string, { answers, others }: Pick<ReadLead, 'answers' | 'others'>): LeadNote[] => {
  const title = `Lead from ${form}`.slice(0, 150);
  return [...titled(title, answers.join('\n')), ...titled(`${title}: data of the form`, others.join('\n'))];
};

/** What the office reads first: who it is, how to reach them, and what they write. */
export function leadSummary({ contact, message }: ReadLead): string {
  const { Name, Company, Phone, Email, City } = contact;
  const who = [Name, Company, Phone, Email, City].filter(Boolean).join(', ') || 'Nobody is named';
  const cut = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message;
  return [`${who}.`, cut].filter(Boolean).join('\n');
}
