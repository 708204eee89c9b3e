import { goOn, toPage } from './lists.ts';
import { count, say } from './sentence.ts';
import { AskFor, type Tool, given, pickRow } from './tool.ts';
import { SKIP, id, isAnyGiven, text } from './arguments.ts';

const taskFields = { task_id: 'Id', contact_id: 'ContactId', task: 'Description', due: 'Due', done: 'CompletedAt' };

export const listTasks: Tool = {
  name: 'list_tasks',
  description: 'Open tasks: of a client, or due in a span of days.',
  input: { contact_id: id(), due_from: text(), due_through: text(), skip: SKIP },
  job: {
    call: ({ contact_id, due_from, due_through, skip }) => ({
      operation: 'task/query',
      request: given({ ContactId: contact_id, DueFrom: due_from, DueThrough: due_through, Skip: skip }),
    }),
    answer({ Tasks: list, NextSkip: nextSkip, Count }, { skip }) {
      const { rows: tasks, next } = toPage({ list, nextSkip, skip }, (task) => pickRow(task, taskFields));
      const total = count(Number(Count ?? tasks.length), 'open task');
      return tasks.length ? { say: say`${total}.${goOn(next)}`, data: { tasks } } : { say: say`No open task.` };
    },
  },
};

export const saveTask: Tool = {
  name: 'save_task',
  description: 'Add a task, or with task_id complete one.',
  input: { task_id: id(), contact_id: id(), task: text('What is to be done.'), due: text(), note: text() },
  isWrite: true,
  job: {
    call({ task_id, contact_id, task, due, note }) {
      if (task_id !== undefined) {
        if (isAnyGiven(contact_id, task, due)) throw new AskFor(say`To complete a task, give task_id and note only.`);
        return { operation: 'task/complete', request: given({ TaskId: task_id, Note: note }) };
      }
      if (task === undefined) throw new AskFor(say`Give task, or task_id to complete one.`);
      if (isAnyGiven(note))
        throw new AskFor(say`A note is for a task that is completed. Give task_id, or leave it out.`);
      return { operation: 'task/create', request: given({ ContactId: contact_id, Description: task, Due: due }) };
    },
    answer(body, { task_id, task, due }, isDone) {
      const data = given({ task, due });
      if (task_id !== undefined)
        return { say: isDone ? say`Task ${Number(task_id)} is done.` : say`This completes task ${Number(task_id)}.` };
      return { say: isDone ? say`Task ${Number(body['TaskId'])} is added.` : say`This adds the task below.`, data };
    },
  },
};
