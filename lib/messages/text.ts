import type { TemplateField } from '../domain/messages/template-fields.ts';
import { segmentsOf, shortestSpelling } from '../domain/messages/segments.ts';
import { fieldValues, tidyView } from './fields.ts';
import type { MessageView, TextContent } from './view.ts';
import { writerOf, wordsOf } from './words.ts';

/** A text of more parts has its name shortened: of the service, the proposal or the task. */
const MAX_SEGMENTS = 2;
/** Two parts of GSM-7; a longer name does not fit. */
const MAX_NAME = 306;
const NAMES: readonly TemplateField[] = ['visit.service', 'proposal.title', 'task.title'];

/** Spaces and line breaks as the company wrote them, but none at the end of a line, and no control characters. */
const tidy = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** The text message of a view. */
export function renderText(given: MessageView): TextContent {
  const view = tidyView(given);
  const write = writerOf(view, 'text');
  const values = fieldValues(view, wordsOf(view));
  const field = NAMES.find((each) => values.get(each));
  const letters = [...((field && values.get(field)) ?? '')];
  const withName = (length: number): TextContent => {
    const name = length < letters.length ? letters.slice(0, length).join('').trim() : letters.join('');
    const shown = name && length < letters.length ? `${name}...` : name;
    const text = shortestSpelling(tidy(write(field ? new Map([...values, [field, shown]]) : values)));
    return { text, segments: segmentsOf(text) };
  };
  const whole = withName(letters.length);
  if (whole.segments <= MAX_SEGMENTS) return whole;
  const fewest = Math.max(withName(0).segments, MAX_SEGMENTS);
  for (let length = Math.min(letters.length, MAX_NAME); length > 0; length--) {
    const shorter = withName(length);
    if (shorter.segments <= fewest) return shorter;
  }
  return withName(0);
}
