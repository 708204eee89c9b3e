import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { KeyCall } from '../../lib/api/http/key-routes.ts';
import type { Sentence } from './sentence.ts';

/** The JSON Schema of one argument, used to describe it and to check it. */
export interface Argument {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object';
  readonly description?: string;
  readonly enum?: readonly string[];
}

/** The checked arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The answer of a tool: our own sentence, and the data with texts of clients, staff and the assistant. */
export interface ToolAnswer {
  readonly say: Sentence;
  readonly data?: unknown;
  /** Whether there is nothing to agree to, although the operation did not fail. */
  readonly isRefused?: true;
}

type Body = Readonly<Record<string, unknown>>;

/** One job of an assistant: it calls an operation, or does something else. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, Argument>>;
  readonly required?: readonly string[];
  /** Whether it changes something: it is then previewed first, and only offered for keys that let assistants write. */
  readonly isWrite?: true;
  /** Whether it may change something, depending on its arguments. */
  readonly mayWrite?: true;
  readonly job:
    | {
        /** Throws an AskFor if arguments are missing. */
        readonly call: (args: Arguments, now: Date) => { readonly operation: string; readonly request: Body };
        /** `isDone` is false for the preview of a write. */
        readonly answer: (body: Body, args: Arguments, isDone: boolean) => ToolAnswer;
      }
    | { readonly run: (call: KeyCall, args: Arguments) => Promise<CallToolResult> };
}

/** Arguments that are not sufficient, and what to ask for. */
export class AskFor extends Error {
  readonly sentence: Sentence;
  constructor(sentence: Sentence) {
    super(sentence);
    this.sentence = sentence;
  }
}

/** The fields that are given, under an operation's field names. */
export const given = (fields: Readonly<Record<string, unknown>>): Body =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

/** The given arguments among these names, each under its operation's field name. */
export const fieldsOf = (args: Arguments, fields: Readonly<Record<string, string>>): Body =>
  given(Object.fromEntries(Object.entries(fields).map(([argument, field]) => [field, args[argument]])));

export type Row = Readonly<Record<string, unknown>>;
export const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/** The longest text in an answer; whoever needs all of it calls the operation. */
const MAX_TEXT = 300;

export const shortText = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : value);

/** Picks fields of a record, under short names and without blank ones. */
export function pickRow(row: Row, names: Readonly<Record<string, string>>): Row {
  const entries = Object.entries(names).map(([short, name]) => [short, row[name]] as const);
  const isBlank = (value: unknown) => value === '' || value === null || value === undefined || value === 0;
  return Object.fromEntries(
    entries.filter(([, value]) => !isBlank(value)).map(([name, value]) => [name, shortText(value)]),
  );
}
