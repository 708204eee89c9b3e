import { operation, save } from '../../lib/api/operation.ts';
import { MAX_SIGNATURE_BYTES } from '../../lib/domain/signing/evidence.ts';
import { described, id, nullable, required, text } from '../../lib/resources/fields.ts';
import { acceptProposal } from '../../lib/workflows/proposals/accept-proposal.ts';

export const accept = operation({
  title: 'Accept a proposal',
  summary: 'Accepts an open proposal with its selected options and signs it.',
  rules: [
    'Exactly one call accepts a proposal; every other one is 409.',
    'A proposal that has expired, or that falls short of MinimumSubtotal or MinimumOptions of its service, is 409.',
    'The proposal becomes Accepted, its content is stored once with the signature, Name, IpAddress, time and the API ' +
      'key, and ' +
      'deposit and visits follow, in one transaction: [what acceptance ' +
      'does](/docs#description/what-acceptance-does).',
    'The SHA-256 of the accepted content is also in Message, in the event and in the log.',
    'An accepted proposal is changed by [a change order](/docs#description/change-orders-and-bundles) ' +
      '(ChangeOrderForProposalId) only.',
  ],
  access: 'write',
  maxBody: 512 * 1024,
  needs: ['table:write', 'expiries:write'],
  request: () => ({
    ProposalId: required(id()),
    Name: described(required(text(200)), 'The name of the person who accepts.'),
    SignatureData: described(
      required(text(MAX_SIGNATURE_BYTES)),
      'A picture as data:image/png;base64,…, data:image/svg+xml,… (percent-encoded) or data:image/svg+xml;base64,…, ' +
        'or the base64 of a PNG. An SVG may contain drawing elements only.',
    ),
    IpAddress: described(text(64), "IPv4 or IPv6 of the person who accepts. Default: the caller's."),
  }),
  response: () => ({
    ProposalId: id(),
    Name: text(200),
    IpAddress: text(64),
    EvidenceSha256: described(text(64), 'The SHA-256 of the accepted content.'),
    DepositInvoiceId: nullable(described(id(), 'The deposit invoice, if one is opened.')),
  }),
  example: {
    ProposalId: 1,
    Name: 'José García',
    SignatureData:
      'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60">' +
      '<path d="M5 40 C 40 5, 60 70, 95 30 S 150 10, 190 40" fill="none" stroke="black"/></svg>',
    IpAddress: '198.51.100.7',
  },
  beforeExample: 'Create a proposal with the status Open, and send its Id.',
  async run(request, context) {
    const { keyId, keyName } = context.caller;
    const key = { id: keyId, name: keyName };
    const { signer, proposal, message, changes } = await acceptProposal(request, context, { key });
    const { Id, EvidenceSha256, DepositInvoiceId } = proposal;
    const answer = { ProposalId: Id, Name: signer.name, IpAddress: signer.ipAddress, EvidenceSha256, DepositInvoiceId };
    return save(changes, { ...answer, Message: message }, { EvidenceSha256 });
  },
});
