import { type Html, html } from '../html.ts';

/** The options of a select, by value and label, of which one is chosen. */
export const options = (choices: readonly (readonly [value: string, label: string])[], chosen = ''): readonly Html[] =>
  choices.map(([value, label]) =>
    value === chosen
      ? html`<option value="${value}" selected>${label}</option>`
      : html`<option value="${value}">${label}</option>`,
  );
