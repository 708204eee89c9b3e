import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * The functions of lib/store that take a store, and arguments for each of them, as its source declares them: a function
 * that is added is called like the others.
 */

const LIB = join(import.meta.dirname, '../../lib');

/** The types of stores. */
const STORES: ReadonlySet<string> = new Set([
  'StoreReader',
  'StorePager',
  'StoreWriter',
  'PatientStore',
  'StoreAccount',
]);

const sourcesOf = (folder: string): ts.SourceFile[] =>
  readdirSync(join(LIB, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(LIB, folder, name))
    .map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));

const storeFiles = sourcesOf('store');

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** Declared types by their names, those of the store first. */
const declarations = Map.groupBy(
  [...storeFiles, ...['entities', 'domain', 'shared'].flatMap(sourcesOf)].flatMap(({ statements }) =>
    statements.filter(
      (each): each is Declaration => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each),
    ),
  ),
  ({ name }) => name.text,
);

/** A function that takes a store. */
export interface StoreFunction {
  /** `sales/invoices.ts findInvoice`. */
  readonly name: string;
  /** What it takes behind the store; `id` for what `finderOf` makes. */
  readonly parameters: readonly ts.ParameterDeclaration[] | 'id';
  readonly call: (...input: readonly unknown[]) => unknown;
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

type Named = readonly [name: string, parameters: StoreFunction['parameters']];

const takesStore = ({ parameters: [first] }: ts.SignatureDeclaration): boolean =>
  first?.type !== undefined && STORES.has(first.type.getText());

/** What a constant is, where it takes a store: a function, or what `finderOf` makes. */
function ofConstant({ name, initializer: made }: ts.VariableDeclaration): Named[] {
  if (made && ts.isArrowFunction(made) && takesStore(made)) return [[name.getText(), made.parameters.slice(1)]];
  const isFinder = made && ts.isCallExpression(made) && made.expression.getText() === 'finderOf';
  return isFinder ? [[name.getText(), 'id']] : [];
}

/** The exported functions of a file, and what each takes behind its store. */
const functionsIn = (file: ts.SourceFile): Named[] =>
  file.statements.filter(isExported).flatMap((statement): Named[] => {
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(ofConstant);
    if (!ts.isFunctionDeclaration(statement) || !statement.name || !takesStore(statement)) return [];
    return [[statement.name.text, statement.parameters.slice(1)]];
  });

/** Every exported function of lib/store that takes a store. */
export async function listStoreFunctions(): Promise<StoreFunction[]> {
  const found = storeFiles.map(async (file) => {
    const functions = functionsIn(file);
    const module = functions.length ? ((await import(file.fileName)) as Record<string, StoreFunction['call']>) : {};
    const path = file.fileName.slice(join(LIB, 'store').length + 1);
    return functions.map(([name, parameters]) => ({
      name: `${path} ${name}`,
      parameters,
      call: module[name] as never,
    }));
  });
  return (await Promise.all(found)).flat();
}

/** What values are made of. */
export interface Samples {
  /** By the name of the type; `Key` of what is looked for. */
  readonly types: Readonly<Record<string, unknown>>;
  /** By the name of the parameter or property. */
  readonly names: Readonly<Record<string, unknown>>;
  /** A record of an entity, by the name of its declaration. */
  readonly record: (entity: string) => object;
}

/** Deeper values are none. */
const MAX_DEPTH = 8;

const nameOf = (node: ts.Node): string => node.getText().replaceAll(/^['"]|['"]$/g, '');

/** Makes values of declared types. */
class Maker {
  readonly #samples: Samples;

  constructor(samples: Samples) {
    this.#samples = samples;
  }

  /** A value of a type, for a parameter or property of a name. */
  make(type: ts.TypeNode, name: string, depth = 0): unknown {
    const { names } = this.#samples;
    const next = (of: ts.TypeNode, called = name) => this.make(of, called, depth + 1);
    if (depth > MAX_DEPTH) return undefined;
    if (ts.isTypeReferenceNode(type)) return this.#ofReference(type, name, depth);
    if (ts.isArrayTypeNode(type)) return [next(type.elementType, name.replace(/s$/, ''))];
    if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) return next(type.type);
    if (ts.isUnionTypeNode(type)) return next(type.types.find((each) => !isNothing(each)) ?? (type.types[0] as never));
    if (ts.isIntersectionTypeNode(type)) return Object.assign({}, ...type.types.map((each) => next(each))) as object;
    if (ts.isTypeLiteralNode(type)) return this.#ofMembers(type.members, depth);
    if (ts.isTupleTypeNode(type)) return type.elements.map((each) => next(each as ts.TypeNode));
    if (ts.isFunctionTypeNode(type)) return names[`${name}()`] ?? (() => next(type.type));
    if (ts.isIndexedAccessTypeNode(type)) {
      const object = next(type.objectType) as Record<string, unknown> | undefined;
      return object?.[nameOf(type.indexType)];
    }
    if (ts.isLiteralTypeNode(type)) return ts.isStringLiteral(type.literal) ? type.literal.text : null;
    if (name in names) return names[name];
    if (type.kind === ts.SyntaxKind.BooleanKeyword) return false;
    return type.kind === ts.SyntaxKind.StringKeyword ? 'text' : 1;
  }

  #ofReference({ typeName, typeArguments = [] as never }: ts.TypeReferenceNode, name: string, depth: number): unknown {
    const { types, record } = this.#samples;
    const type = typeName.getText();
    const [first, second] = typeArguments as readonly ts.TypeNode[];
    if (type in types) return types[type];
    if (type === 'RecordOf' && first && ts.isTypeQueryNode(first)) return record(first.exprName.getText());
    if (type === 'Partial') return {};
    if (['Record', 'ObjectOf'].includes(type)) return {};
    if (['ReadonlyMap', 'Map'].includes(type)) return new Map();
    if (['ReadonlySet', 'Set'].includes(type)) return new Set();
    if (type === 'Pick' && first && second) {
      const whole = this.make(first, name, depth + 1) as object;
      return Object.fromEntries(Object.entries(whole).filter(([key]) => second.getText().includes(`'${key}'`)));
    }
    if (['Omit', 'Readonly', 'NonNullable', 'Extract', 'Required'].includes(type) && first)
      return this.make(first, name, depth + 1);
    const [declaration] = declarations.get(type) ?? [];
    if (!declaration) throw new TypeError(`no sample of the type ${type}, of ${name}`);
    const parameters = declaration.typeParameters ?? [];
    const given = typeArguments.slice(0, parameters.length);
    if (given.length) return this.#bind(parameters, given, depth).#ofDeclaration(declaration, name, depth);
    return this.#ofDeclaration(declaration, name, depth);
  }

  /** The same with the arguments of a generic type in place of its parameters. */
  #bind(parameters: readonly ts.TypeParameterDeclaration[], given: readonly ts.TypeNode[], depth: number): Maker {
    const bound = given.map((type, index) => {
      const name = parameters[index]?.name.text ?? '';
      return [name, this.make(type, name, depth + 1)] as const;
    });
    return new Maker({ ...this.#samples, types: { ...this.#samples.types, ...Object.fromEntries(bound) } });
  }

  #ofDeclaration(declaration: Declaration, name: string, depth: number): unknown {
    if (ts.isTypeAliasDeclaration(declaration)) return this.make(declaration.type, name, depth + 1);
    const inherited = (declaration.heritageClauses ?? []).flatMap(({ types: bases }) => [...bases]);
    const bases = inherited.map((base) => this.#ofBase(base, depth));
    return Object.assign({}, ...bases, this.#ofMembers(declaration.members, depth)) as object;
  }

  #ofBase(base: ts.ExpressionWithTypeArguments, depth: number): unknown {
    const reference = ts.createSourceFile('base.ts', `type Base = ${base.getText()};`, ts.ScriptTarget.Latest, true);
    const [alias] = reference.statements;
    return alias && ts.isTypeAliasDeclaration(alias) ? this.make(alias.type, '', depth + 1) : {};
  }

  #ofMembers(members: ts.NodeArray<ts.TypeElement>, depth: number): object {
    const properties = members.filter((each): each is ts.PropertySignature => ts.isPropertySignature(each));
    return Object.fromEntries(
      properties.flatMap(({ name, type, questionToken }) =>
        type && !questionToken ? [[nameOf(name), this.make(type, nameOf(name), depth + 1)]] : [],
      ),
    );
  }
}

const isNothing = (type: ts.TypeNode): boolean =>
  type.kind === ts.SyntaxKind.UndefinedKeyword || type.getText() === 'null';

/** Arguments behind the store for a function; its optional ones are left out. Throws for a type without sample. */
export function argumentsOf({ parameters }: StoreFunction, samples: Samples): unknown[] {
  const maker = new Maker(samples);
  if (parameters === 'id') return [samples.names['id']];
  return parameters
    .filter(({ initializer, questionToken }) => !initializer && !questionToken)
    .map(({ name, type }) => (type ? maker.make(type, ts.isIdentifier(name) ? name.text : '') : undefined));
}
