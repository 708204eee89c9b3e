import { parse } from '@handlebars/parser';
import type { MessageKind } from '../../entities/message-kinds.ts';
import { nearestName } from '../../shared/text/suggestions.ts';
import { fieldsOf } from './template-fields.ts';

/**
 * A company's own texts: `{{visit.date}}` and `{{#if visit.agent}}…{{else}}…{{/if}}`. Handlebars only reads them; they
 * never become code, and have no other construct.
 */

export interface TemplateProblem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

type Part =
  | string
  | { readonly field: string }
  | { readonly condition: string; readonly met: readonly Part[]; readonly unmet: readonly Part[] };

export interface Template {
  /** What is wrong with it, in its order; empty if nothing is. */
  readonly problems: readonly TemplateProblem[];
  /** The text with the values of its fields, as plain text; empty if it has problems. */
  readonly write: (values: ReadonlyMap<string, string>) => string;
}

/** Longer texts are no message. */
const MAX_TEMPLATE = 5_000;

interface Position {
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

/** The parser's tree, as far as it is read here. */
interface Tree {
  readonly loc: { readonly start: Position };
}
interface Path extends Tree {
  readonly type: string;
  readonly original: unknown;
}
interface Tag extends Tree {
  readonly path: Path;
  readonly params: readonly Path[];
  readonly hash?: unknown;
}
type Statement =
  | (Tree & { readonly type: 'ContentStatement'; readonly value: string })
  | (Tree & { readonly type: 'CommentStatement' })
  | (Tag & { readonly type: 'MustacheStatement'; readonly escaped: boolean })
  | (Tag & { readonly type: 'BlockStatement'; readonly program?: Program; readonly inverse?: Program })
  | (Tree & { readonly type: 'PartialStatement' });
interface Program {
  readonly body: readonly Statement[];
  readonly blockParams?: unknown;
}

const problemAt = ({ loc: { start } }: Tree, message: string): TemplateProblem => ({
  line: start.line,
  column: start.column + 1,
  message,
});

const ONLY = 'A text can have {{field}} and {{#if field}}…{{else}}…{{/if}}, and nothing else in braces.';

/** Reads the statements of a program; adds what is wrong with them to `problems`. */
function readParts(program: Program, fields: ReadonlyMap<string, string>, problems: TemplateProblem[]): Part[] {
  const readName = (path: Path): string => {
    const name = path.type === 'PathExpression' ? String(path.original) : '';
    if (!fields.has(name)) problems.push(problemAt(path, name ? unknownField(name, fields) : ONLY));
    return name;
  };
  return program.body.flatMap((node): Part[] => {
    if (node.type === 'ContentStatement') return [node.value];
    if (node.type === 'CommentStatement') return [];
    if (node.type === 'MustacheStatement' && node.params.length === 0 && !node.hash) {
      if (!node.escaped) problems.push(problemAt(node, 'Use two braces: every value is shown as plain text.'));
      return [{ field: readName(node.path) }];
    }
    if (node.type === 'BlockStatement' && node.path.original === 'if' && node.program && !node.hash) {
      const [condition, more] = node.params;
      if (condition && !more && !node.program.blockParams)
        return [
          {
            condition: readName(condition),
            met: readParts(node.program, fields, problems),
            unmet: node.inverse ? readParts(node.inverse, fields, problems) : [],
          },
        ];
    }
    problems.push(problemAt(node, ONLY));
    return [];
  });
}

function unknownField(name: string, fields: ReadonlyMap<string, string>): string {
  const names = [...fields.keys()];
  const last = (each: string) => each.slice(each.indexOf('.') + 1);
  // `{{phone}}` and `{{customer.phone}}` mean `{{company.phone}}`, as the last word is the same.
  const near = names.find((each) => last(each) === last(name)) ?? nearestName(name, names);
  return near
    ? `There is no field "${name}". Did you mean "${near}"?`
    : `There is no field "${name}". The fields are ${names.join(', ')}.`;
}

/** What the parser throws. */
interface SyntaxProblem {
  /** Where the first of two tags is that do not belong together. */
  readonly lineNumber?: number;
  readonly column?: number;
  /** Where it stopped; a letter that it cannot read at all has a line only, from 0. */
  readonly hash?: {
    readonly token: string | null;
    readonly line: number;
    readonly loc?: { readonly last_line: number; readonly last_column: number };
  };
}

function syntaxProblem({ lineNumber = 1, column = 0, hash }: SyntaxProblem): TemplateProblem {
  if (!hash) return { line: lineNumber, column: column + 1, message: 'This tag is not closed by its own {{/…}}.' };
  return {
    line: hash.loc?.last_line ?? hash.line + 1,
    column: (hash.loc?.last_column ?? 0) + 1,
    message:
      hash.token === 'EOF' ? 'The text ends, but a {{#if}} or {{ is not closed.' : `This cannot be read. ${ONLY}`,
  };
}

const fillParts = (parts: readonly Part[], values: ReadonlyMap<string, string>): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('field' in part) return values.get(part.field) ?? '';
      return fillParts(values.get(part.condition) ? part.met : part.unmet, values);
    })
    .join('');

const unreadable = (problem: TemplateProblem): Template => ({ problems: [problem], write: () => '' });

export function readTemplate(text: string, kind: MessageKind): Template {
  if (text.length > MAX_TEMPLATE)
    return unreadable({ line: 1, column: 1, message: `A text has at most ${MAX_TEMPLATE} letters.` });
  let program: Program;
  try {
    program = parse(text);
  } catch (error) {
    return unreadable(syntaxProblem(error as SyntaxProblem));
  }
  const problems: TemplateProblem[] = [];
  const parts = readParts(program, fieldsOf(kind), problems);
  return { problems, write: (values) => (problems.length ? '' : fillParts(parts, values)) };
}

/** What is wrong with an own text; empty if nothing is. */
export const checkTemplate = (text: string, kind: MessageKind): readonly TemplateProblem[] =>
  readTemplate(text, kind).problems;
