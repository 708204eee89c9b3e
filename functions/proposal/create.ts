import { conflict, invalid } from '../../lib/api/failure.ts';
import { operation } from '../../lib/api/operation.ts';
import { toLocalDate } from '../../lib/domain/moments-out.ts';
import { blankProposal } from '../../lib/domain/proposals/blank.ts';
import { tellProposal } from '../../lib/domain/proposals/merge.ts';
import { moveProposal } from '../../lib/domain/proposals/moves.ts';
import { described, id, required, text } from '../../lib/resources/fields.ts';
import { proposalSettings } from '../../lib/store/accounts.ts';
import { randomHandle } from '../../lib/store/handles.ts';
import { leaseIds } from '../../lib/store/ids.ts';
import { stored } from './answered.ts';
import { contactOf, drawnOn, homeOf, settled, surroundingsOf } from './drawn.ts';
import { proposalAnswer, proposalFields } from './fields.ts';
import { linked, parentsOf } from './linked.ts';

export const create = operation({
  name: 'proposal/create',
  summary: 'Makes a proposal for a contact: a service with lines, priced, Internal unless Status says Open.',
  description:
    'ServiceId or ServiceName says what is offered; Quantity is 1 unless given. Lines name parts sold with the service, by Id or Name, or none and their own price; assemblies ' +
    'become lines with AssemblyLineId. Lines with a ProposalOption count only when it is selected: by SelectedSolution, or by Selected of the lines. Totals are always ' +
    "worked out, whatever the request says. Description, Taxable and what a line leaves out are the service's and the part's; NamedTaxRate, by Id or Name, is the contact's " +
    'unless given; Date is today. Ids of lines and options are numbers of the request, so that what proposal/quote answers can be sent. ChangeOrderForProposalId makes it a ' +
    'change order of a signed proposal, BundleWithProposalId bundles it with one that is not.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({ ...proposalFields(), Id: described(id(), 'The proposal made; not for requests.'), ContactId: required(id()), ServiceName: described(text(200), 'The service, where ServiceId is not given.') }),
  response: proposalAnswer,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { ContactId: 1, ServiceId: 1, Status: 'Open', DepositRate: 10, DepositRequired: true, ProposalLines: [{ Part: { Id: 1 }, Quantity: 2, ProposalOption: { Name: 'Better', Selected: true } }] },
  async run({ Id: given, ContactId, ...request }, context) {
    const { table, caller, now } = context;
    if (given) throw invalid({ Field: 'Id', Message: 'is what a new proposal is given; a proposal there is already is changed with proposal/update' });
    if (!request.ServiceId && !request.ServiceName?.trim()) throw invalid({ Field: 'ServiceId', Message: 'or ServiceName is required' });
    const nothing = blankProposal({ Id: 0, OrganizationId: 0, ContactId, HashKey: '', Zone: 'UTC', Date: '', Created: now.getTime() });
    const [contact, drawn, parents, settings, [Id = 0]] = await Promise.all([
      contactOf(context, ContactId), drawnOn(context, nothing, request), parentsOf(context, undefined, request),
      proposalSettings(table, caller.accountId, now), leaseIds(table, caller.accountId, 'Proposal', 1),
    ]);
    const home = await homeOf(context, contact.OrganizationId, request, null);
    const { Id: OrganizationId, Timezone: Zone } = home.organization;
    const blank = { ...nothing, Id, OrganizationId, Zone, HashKey: randomHandle(22), Date: toLocalDate(now.getTime(), Zone) };
    const moved = moveProposal(blank, request.Status, { now: now.getTime(), expireAfterDays: settings.ExpireAfterDays });
    if (moved.kind === 'refused') throw conflict(moved.message);
    const told = tellProposal(moved.kind === 'moved' ? moved.proposal : blank, request, surroundingsOf(context, drawn, home, contact));
    const faults = moved.kind === 'fault' ? [{ field: 'Status', message: moved.message }, ...told.faults] : told.faults;
    const proposal = await settled(context, blank, { ...told, faults }, drawn.definitions);
    const { links, checks } = await linked(context, proposal, request, parents);
    return stored(context, { before: undefined, after: { ...proposal, ...links }, checks, parents }, { contact, definitions: drawn.definitions });
  },
});
