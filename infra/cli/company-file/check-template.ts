import type { MessageKind } from '../../../lib/entities/message-kinds.ts';

/** What is wrong with a text of the company's own, at a line and column of it (from 1). */
export interface TemplateError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type CheckTemplate = (text: string, kind: MessageKind) => readonly TemplateError[];

// INTEGRATOR: the only place to connect. Replace this function by
// `export { checkTemplate } from '../../../lib/domain/messages/templates.ts';` once that file exists.
export const checkTemplate: CheckTemplate = () => [];
