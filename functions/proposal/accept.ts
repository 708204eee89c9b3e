import { acceptProposal } from '../../lib/workflows/proposals/accept-proposal.ts';
import { operation } from '../../lib/api/operation.ts';
import { MAX_SIGNATURE_BYTES } from '../../lib/domain/signing/signature.ts';
import { described, id, required, text } from '../../lib/resources/fields.ts';

export const accept = operation({
  name: 'proposal/accept',
  summary: 'Signs a proposal that is Open, for good: the client accepts the options that are selected.',
  description:
    'Of any number of calls exactly one accepts; any other is 409, as is a proposal that has expired or falls ' +
    'short of MinimumSubtotal or MinimumOptions of its service. In one transaction the proposal becomes Accepted; ' +
    'what was accepted is kept with the signature, Name, IpAddress and time, write-once, and its SHA-256 on the ' +
    'proposal, in Message, in the event and in the log; where DepositRequired is true, an open invoice of type ' +
    'Deposit is made over DepositRate % of Subtotal and Tax; and the dated visits of a subscription become Queued ' +
    'appointments, the first 40 at once. What is accepted is changed by a change order (ChangeOrderForProposalId) ' +
    'and never itself.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({
    ProposalId: required(id()),
    Name: described(required(text(200)), 'Of whoever accepts.'),
    SignatureData: described(
      required(text(MAX_SIGNATURE_BYTES)),
      'A picture as data:image/png;base64,…, data:image/svg+xml,… (percent-encoded) or data:image/svg+xml;base64,…, or ' +
        'the base64 of a PNG. An SVG may draw and no more.',
    ),
    IpAddress: described(text(64), "IPv4 or IPv6, of whoever accepts; the caller's unless given."),
  }),
  response: () => ({ ProposalId: id(), Name: text(200), IpAddress: text(64) }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: {
    ProposalId: 1,
    Name: 'José García',
    SignatureData:
      'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60">' +
      '<path d="M5 40 C 40 5, 60 70, 95 30 S 150 10, 190 40" fill="none" stroke="black"/></svg>',
    IpAddress: '198.51.100.7',
  },
  run: async (request, context) => acceptProposal(request, context),
});
