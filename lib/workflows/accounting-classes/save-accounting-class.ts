import type { AccountingClassRecord } from '../../entities/postal-codes.ts';
import {
  type AccountingClassInput,
  applyClassInput,
  classLimitError,
  findClassByName,
} from '../../domain/accounting-classes.ts';
import { type TakenCode, describeEntries, describeTaken } from '../../domain/postal-ownership.ts';
import type { FieldsInput } from '../../resources/fields.ts';
import type { accountingClassFields } from '../../resources/settings.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import { isEqual } from '../../shared/objects.ts';
import { type Failure, conflict, invalid, notFound } from '../../shared/failure.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import { classChanges, listClasses } from '../../store/organizations/accounting-classes.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import type { ReadContext, WriteContext } from '../context.ts';

type ClassRequest = FieldsInput<ReturnType<typeof accountingClassFields>>;

interface SavedClass {
  readonly record: AccountingClassRecord;
  readonly changes: readonly Change[];
}

/** Throws conflict if another class of the organization has the name or one of the postal codes. */
export async function createAccountingClass(request: ClassRequest, context: WriteContext): Promise<SavedClass> {
  const { store } = context;
  if (request.AccountingClassId) {
    const message = 'is assigned to a new class; change an existing one with accountingclasses/update';
    throw invalid({ field: 'AccountingClassId', code: 'fixed', message });
  }
  const OrganizationId = await findClassOrganization(request, context);
  const [classes, [Id = 0]] = await Promise.all([
    listClasses(store, OrganizationId),
    reserveIds(store, 'AccountingClass', 1),
  ]);
  const input = toClassInput(request);
  const sameName = findClassByName(classes, { AccountingClass: input.AccountingClass });
  if (sameName) throw nameConflict(sameName, ' Change it with accountingclasses/update.');
  const blank = { Id, OrganizationId, AccountingClass: '', TerritoryID: '', PostalCodes: [], V: 0 };
  const record = applyValidInput(blank, input, classes);
  remarkOnCodes(request, context);
  return saveClass(undefined, record, context);
}

/** Changes a class by AccountingClassId, else by Name. Throws notFound, and conflict as createAccountingClass does. */
export async function updateAccountingClass(request: ClassRequest, context: WriteContext): Promise<SavedClass> {
  const { AccountingClassId, Name } = request;
  if (!AccountingClassId && !Name)
    throw invalid({ field: 'AccountingClassId', code: 'required', message: 'is required, or Name' });
  const organizationId = await findClassOrganization(request, context);
  const classes = await listClasses(context.store, organizationId);
  const input = toClassInput(request);
  const field = AccountingClassId ? 'AccountingClassId' : 'Name';
  const before = findClassByName(classes, input);
  if (!before)
    throw notFound('accounting class', field, AccountingClassId ?? Name, {
      advice: AccountingClassId
        ? ''
        : didYouMean(
            Name ?? '',
            classes.map((each) => each.AccountingClass),
          ),
    });
  const after = applyValidInput(before, input, classes);
  remarkOnCodes(request, context);
  const others = classes.filter(({ Id }) => Id !== before.Id);
  const sameName = findClassByName(others, { AccountingClass: after.AccountingClass });
  if (sameName) throw nameConflict(sameName);
  return isEqual(after, before) ? { record: before, changes: [] } : saveClass(before, after, context);
}

function remarkOnCodes({ PostalCodes }: ClassRequest, { remark }: WriteContext): void {
  for (const sentence of describeEntries(PostalCodes ?? [])) remark?.(sentence);
}

/** The organization in the request, else that of the key, else the only one of the account. */
export async function findClassOrganization(
  { OrganizationId }: Pick<ClassRequest, 'OrganizationId'>,
  { store, caller }: ReadContext,
): Promise<number> {
  const id = OrganizationId ?? caller.organizationId ?? (await findOnlyOrganization(store));
  if (id === undefined)
    throw invalid({
      field: 'OrganizationId',
      code: 'required',
      message: 'is required, because the account has several organizations',
    });
  if (OrganizationId && !(await findOrganization(store, OrganizationId)))
    throw notFound('organization', 'OrganizationId', OrganizationId);
  return id;
}

const toClassInput = ({ AccountingClassId, Name, TerritoryID, PostalCodes }: ClassRequest): AccountingClassInput => ({
  Id: AccountingClassId,
  AccountingClass: Name,
  TerritoryID,
  PostalCodes,
});

/** The class with the input applied; 400 names the fields of the request, where the class's name is Name. */
function applyValidInput(
  before: AccountingClassRecord,
  input: AccountingClassInput,
  classes: readonly AccountingClassRecord[],
): AccountingClassRecord {
  const { merged, errors } = applyClassInput(before, input);
  const tooMany = classLimitError(classes, merged);
  const all = tooMany ? [...errors, tooMany] : errors;
  if (!all.length) return merged;
  throw invalid(...all.map((error) => ({ ...error, field: error.field === 'AccountingClass' ? 'Name' : error.field })));
}

const nameConflict = ({ Id, AccountingClass }: AccountingClassRecord, advice = ''): Failure =>
  conflict('already_exists', `Accounting class ${Id} has the name ${AccountingClass}.${advice}`);

async function saveClass(
  before: AccountingClassRecord | undefined,
  after: AccountingClassRecord,
  { store }: WriteContext,
): Promise<SavedClass> {
  const write = await classChanges(store, before, after);
  if (write.kind === 'taken') throw codesConflict(write.taken);
  return write;
}

function codesConflict(taken: readonly TakenCode[]): Failure {
  const owners = new Map(taken.map(({ by, name = '' }) => [by, name]));
  const sentences = [...owners].map(([by, name]) => describeTaken(taken, by, `accounting class ${by} (${name})`));
  return conflict('already_exists', sentences.join(' '));
}
