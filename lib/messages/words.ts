import { type Template, readTemplate } from '../domain/messages/templates.ts';
import { type Wording, wordingOf } from '../pages/language.ts';
import { type KindTexts, type MessageWords, enKinds, enWords } from './texts/en.ts';
import { esKinds, esWords } from './texts/es.ts';
import type { MessageView } from './view.ts';

const languages = { en: { kinds: enKinds, words: enWords }, es: { kinds: esKinds, words: esWords } } as const;

/** The words of a message in its language. */
export interface Words {
  readonly wording: Wording;
  readonly words: MessageWords;
}

export const wordsOf = ({ language, country }: MessageView): Words => ({
  wording: wordingOf(language, country),
  words: languages[language].words,
});

/**
 * Fills the company's own text, or ours where there is none, where its values are all empty, or where it names a field
 * that is no longer known.
 */
export function writerOf({ kind, language, ownTexts }: MessageView, part: keyof KindTexts): Template['write'] {
  const our = readTemplate(languages[language].kinds[kind][part], kind);
  const own = readTemplate(ownTexts?.[part] ?? '', kind);
  return (values) => own.write(values).trim() || our.write(values);
}
