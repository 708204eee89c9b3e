import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Appointment } from '../../lib/entities/appointments.ts';
import type { Contact } from '../../lib/entities/contacts.ts';
import type { Task } from '../../lib/entities/tasks.ts';
import type { DuplicatePair } from '../../lib/resources/duplicates.ts';
import { Status } from '../../lib/domain/appointments/record.ts';
import { tasksPage } from '../../lib/pages/office/tasks-page.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { listFailedCalls } from '../../lib/workflows/webhooks/calls.ts';
import { readId } from '../pages/parameters.ts';
import { addDays, loadCompany } from './company.ts';
import { findLeads } from './leads.ts';
import {
  type FormChange,
  type OfficePage,
  type UserCall,
  type UserForm,
  formNotice,
  htmlAnswer,
  sendChange,
} from './office-page.ts';

const TASKS = 50;
/** How far ahead visits to confirm are listed. */
const DAYS = 14;
const MAX_VISITS = 200;
const BOUNCED = 25;

const done = { completed: 'isCompleted', merged: 'isMerged' } as const;

async function show(call: UserCall, failure?: Failure): Promise<OfficeAnswer> {
  const { now, session, store, mayCall } = call;
  const company = await loadCompany(call);
  const today = toLocalDate(now.getTime(), company.Timezone);
  const [{ Tasks, Count }, { Appointments }, duplicates, leads, bounced, failedCalls] = await Promise.all([
    call.call<{ Tasks: readonly Task[]; Count: number }>({ operation: 'task/query', request: { Take: TASKS } }),
    call.call<{ Appointments: readonly Appointment[] }>({
      operation: 'appointments/query',
      request: { FromDate: today, ThroughDate: addDays(today, DAYS), IncludeContact: true, Take: MAX_VISITS },
    }),
    mayCall('contacts/duplicates')
      ? call.call<{ Pairs: readonly DuplicatePair[] }>({ operation: 'contacts/duplicates', request: {} })
      : undefined,
    session.AgentId === null ? findLeads(call, today) : [],
    session.AgentId === null
      ? call.call<{ Matches: readonly Contact[]; NextSkip?: number }>({
          operation: 'contacts/locate',
          request: { HasEmailProblem: true, Limit: BOUNCED },
        })
      : undefined,
    mayCall('webhooks/calls') ? listFailedCalls(store) : [],
  ]);
  const view = {
    zone: company.Timezone,
    now: now.getTime(),
    tasks: Tasks,
    count: Count,
    tentative: Appointments.filter(({ Status: status }) => status === Status.Tentative),
    pairs: duplicates?.Pairs ?? [],
    leads,
    bounced: bounced?.Matches ?? [],
    hasMoreBounced: bounced?.NextSkip !== undefined,
    failedCalls,
    mayComplete: mayCall('task/complete'),
    mayMerge: mayCall('contacts/merge'),
  };
  const notice = formNotice(call, failure, done);
  return htmlAnswer(tasksPage(call.frame('/office/tasks'), view, [notice]), failure?.status ?? 200);
}

function changeOf({ sent, action }: UserForm): FormChange | undefined {
  switch (action) {
    case 'complete':
      return {
        called: { operation: 'task/complete', request: { TaskId: readId(sent.get('task')) } },
        done: 'completed',
      };
    case 'merge': {
      const request = { ContactId: readId(sent.get('keep')), MergeId: readId(sent.get('merge')) };
      return { called: { operation: 'contacts/merge', request }, done: 'merged' };
    }
    default:
      return undefined;
  }
}

/** What is to be done. */
export const tasks: OfficePage = {
  show: (call) => show(call),
  send: (form) => sendChange(form, 'tasks', changeOf(form), show),
};
