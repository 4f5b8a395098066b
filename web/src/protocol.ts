// Generated from the protocol's JSON Schema by `make types`; do not edit.

/**
 * What travels between a tilerummy server and its clients.
 */
export type Protocol = ClientMessage | ServerMessage | RestRequest | RestAnswer;
/**
 * Everything that a client may send over a room's WebSocket.
 */
export type ClientMessage = SendCommand | SendDraft | AskHint | SayPhrase | Show | Resume | Ping;
export type WireCommand =
  | PlayCommand
  | DrawCommand
  | PassCommand
  | NextRoundCommand
  | CallCommand
  | TapCommand
  | SitCommand
  | StandCommand
  | RemoveCommand
  | SeatBotCommand
  | ReadyCommand
  | WordCommand
  | ChangeCommand
  | StartCommand
  | LeaveCommand
  | ReturnCommand
  | SitInCommand
  | RematchCommand
  | CloseCommand;
export type Level = "nudge" | "point" | "reveal";
export type Phrase =
  | "hello"
  | "thanks"
  | "well-played"
  | "good-luck"
  | "oops"
  | "hurry"
  | "wait"
  | "bravo"
  | "again"
  | "goodbye"
  | ":smile"
  | ":wow"
  | ":think"
  | ":sad"
  | ":clap";
/**
 * Everything that the server may send over it.
 */
export type ServerMessage =
  Snapshot | Update | Ack | Refused | Advice | DraftSeen | PhraseSaid | Presence | Heartbeat | ErrorMessage | Bye;
export type SeenEvent =
  | OpenedEvent
  | SatEvent
  | StoodEvent
  | RemovedEvent
  | BotSeatedEvent
  | ReadyEvent
  | WordGivenEvent
  | ChangedEvent
  | WentAwayEvent
  | CameBackEvent
  | RematchedEvent
  | HostPassedEvent
  | ClosedEvent
  | StartedEvent
  | RoundBeganEvent
  | PlayedEvent
  | DrewEvent
  | PassedEvent
  | TimedOutEvent
  | HintGivenEvent
  | HandedOverEvent
  | RoundEndedEvent
  | MatchEndedEvent
  | RaceBeganEvent
  | CalledEvent
  | FoundEvent
  | RaceEndedEvent;
/**
 * The body of a request.
 */
export type RestRequest = NewRoom | CommandBody | NewName | NewLocal | UseLink | NewToken | CheckRequest | SolveRequest;
/**
 * The body of an answer, or an entry of a list that is one.
 */
export type RestAnswer =
  | RoomView
  | RoomList
  | MatchResult
  | Ack
  | Refused
  | Me
  | Local
  | Link
  | Token
  | Export
  | RulesetInfo
  | BotInfo
  | PhraseInfo
  | ToldRules
  | CheckAnswer
  | SolveAnswer
  | Health
  | Readiness
  | ErrorBody;

/**
 * A command; `on` is the version that its sender saw, and the same id always gets the same answer.
 */
export interface SendCommand {
  type: "command";
  id: string;
  on: number;
  command: WireCommand;
}
/**
 * Commit a proposed table.
 */
export interface PlayCommand {
  kind: "play";
  seat: number;
  /**
   * @maxItems 60
   */
  table: string[];
}
/**
 * Take a tile from the pool and end the turn.
 */
export interface DrawCommand {
  kind: "draw";
  seat: number;
}
/**
 * End the turn when nothing can be drawn.
 */
export interface PassCommand {
  kind: "pass";
  seat: number;
}
/**
 * Begin the next round of the match.
 */
export interface NextRoundCommand {
  kind: "next-round";
}
/**
 * Name a tile of the race.
 */
export interface CallCommand {
  kind: "call";
  seat: number;
  tile: string;
}
/**
 * Point at a tile of the race.
 */
export interface TapCommand {
  kind: "tap";
  seat: number;
  tile: string;
}
/**
 * Take a seat, for oneself or for somebody on the same device.
 */
export interface SitCommand {
  kind: "sit";
  seat: number;
  player?: string | null;
}
/**
 * Give up a seat before the start.
 */
export interface StandCommand {
  kind: "stand";
  seat: number;
}
/**
 * Send somebody away before the start (host).
 */
export interface RemoveCommand {
  kind: "remove";
  seat: number;
}
/**
 * Choose the bot that plays if nobody takes this seat, or none (host).
 */
export interface SeatBotCommand {
  kind: "seat-bot";
  seat: number;
  bot: string | null;
}
/**
 * Say that one is ready for the start, or is not.
 */
export interface ReadyCommand {
  kind: "ready";
  seat: number;
  ready: boolean;
}
/**
 * Add a word of one's own to the shuffle.
 */
export interface WordCommand {
  kind: "word";
  seat: number;
  word: string;
}
/**
 * Choose another setup before the start (host).
 */
export interface ChangeCommand {
  kind: "change";
  setup: Setup;
}
/**
 * What the host chooses; what is left out is as usual.
 */
export interface Setup {
  game?: "match" | "race";
  ruleset?: string;
  /**
   * House rules by field; `tileset` (standard, xp, xp-quick, junior) stands for the fields of a tile set.
   */
  house?: {
    [k: string]: boolean | number | string;
  };
  players?: number;
  rounds?: number;
  clock?: ("none" | "rulebook") | SecondClock | DayClock;
  /**
   * @maxItems 6
   */
  bots?: (string | null)[];
  public?: boolean;
  spectators?: boolean;
  hints?: boolean;
  sit_in?: string | null;
  caller?: number | null;
  first?: number;
}
/**
 * So many seconds for a turn.
 */
export interface SecondClock {
  seconds: number;
}
/**
 * So many days for a turn: play by correspondence.
 */
export interface DayClock {
  days: number;
}
/**
 * Begin the match (host).
 */
export interface StartCommand {
  kind: "start";
}
/**
 * Go away: before the start the seat is free again, in mid-game a bot plays on.
 */
export interface LeaveCommand {
  kind: "leave";
  seat: number;
}
/**
 * Take one's seat back from the bot.
 */
export interface ReturnCommand {
  kind: "return";
  seat: number;
}
/**
 * Let a bot play for somebody whose connection is gone.
 */
export interface SitInCommand {
  kind: "sit-in";
  seat: number;
}
/**
 * Gather for another match.
 */
export interface RematchCommand {
  kind: "rematch";
}
/**
 * Close the room (host).
 */
export interface CloseCommand {
  kind: "close";
}
/**
 * What the player to move is arranging; null when it is all put back.
 */
export interface SendDraft {
  type: "draft";
  on: number;
  seat: number;
  table: string[] | null;
}
/**
 * A wish for a hint, which the record will keep.
 */
export interface AskHint {
  type: "hint";
  id: string;
  on: number;
  seat: number;
  level: Level;
}
/**
 * A phrase or reaction for everybody in the room.
 */
export interface SayPhrase {
  type: "phrase";
  seat: number;
  phrase: Phrase;
}
/**
 * Whose rack this connection sees from now on, of several people on one device; null: nobody's.
 */
export interface Show {
  type: "show";
  seat: number | null;
}
/**
 * A wish for everything since this version.
 */
export interface Resume {
  type: "resume";
  version: number;
}
/**
 * A wish for a heartbeat.
 */
export interface Ping {
  type: "ping";
}
/**
 * The room as it is, and who the receiver is.
 */
export interface Snapshot {
  type: "snapshot";
  version: number;
  view: RoomView;
  you: You;
}
/**
 * A room as one seat, or a spectator, sees it.
 */
export interface RoomView {
  room: string;
  code: string | null;
  version: number;
  stage: "lobby" | "playing" | "over" | "closed";
  setup: SetupView;
  seats: SeatView[];
  /**
   * Begun so far.
   */
  matches: number;
  /**
   * To the shuffle of the match that runs or is to come.
   */
  commitment: string;
  clock: ClockView | null;
  match: MatchView | null;
  race: RaceView | null;
}
/**
 * What the host chose, with nothing left out; the rulebook's clock is shown in seconds.
 */
export interface SetupView {
  game: "match" | "race";
  ruleset: string;
  /**
   * House rules by field; `tileset` (standard, xp, xp-quick, junior) stands for the fields of a tile set.
   */
  house: {
    [k: string]: boolean | number | string;
  };
  players: number;
  rounds: number;
  clock: ("none" | "rulebook") | SecondClock | DayClock;
  /**
   * @maxItems 6
   */
  bots: (string | null)[];
  public: boolean;
  spectators: boolean;
  hints: boolean;
  sit_in: string | null;
  caller: number | null;
  first: number;
}
/**
 * A seat: whose it is, and who plays there now.
 */
export interface SeatView {
  seat: number;
  /**
   * Of the person, or of the bot.
   */
  name: string | null;
  kind: "person" | "bot" | "open";
  /**
   * That plays here, or would if nobody sits down.
   */
  bot: string | null;
  ready: boolean;
  /**
   * Whether the person is connected.
   */
  present: boolean;
  /**
   * Whether the person left in mid-game.
   */
  away: boolean;
  host: boolean;
  /**
   * The receiver's own, before the start.
   */
  word: string | null;
}
/**
 * The clock of the running turn, in the server's time; `now` is when this was sent.
 */
export interface ClockView {
  seconds: number;
  ends: number;
  now: number;
}
/**
 * A match as one seat, or a spectator, sees it; racks and melds in the notation, copies told apart.
 */
export interface MatchView {
  seat: number | null;
  /**
   * Of the match alone.
   */
  version: number;
  ruleset: string;
  /**
   * The fields in which the rules differ from the ruleset's.
   */
  house: {
    [k: string]: boolean | number | string;
  };
  players: number;
  rounds: number;
  round: number;
  phase: "playing" | "round-over" | "match-over";
  draws: StartDrawn[][];
  starter: number;
  turn: number;
  /**
   * @maxItems 60
   */
  table: string[];
  /**
   * Of the player to move.
   */
  draft: string[][] | null;
  rack: string;
  rack_sizes: number[];
  /**
   * Everybody's, once the round is over.
   */
  racks: string[];
  pool_size: number;
  opened: boolean[];
  stars: number[];
  passes: number;
  bots: (string | null)[];
  hints: number[];
  scores: number[][];
  winner: number | null;
  commitment: string;
  words: string[];
  /**
   * Once the match is over.
   */
  seed: string | null;
}
/**
 * A tile that a seat drew for the right to start.
 */
export interface StartDrawn {
  seat: number;
  tile: string;
}
/**
 * A race; nothing in it is hidden.
 */
export interface RaceView {
  /**
   * Of the race alone.
   */
  version: number;
  players: number;
  caller: number | null;
  stars: number[];
  placed: string;
  called: string | null;
  finds: FoundTile[];
  /**
   * Whether a tile is being looked for.
   */
  open: boolean;
  winners: number[];
}
/**
 * A tile that somebody found since the last call.
 */
export interface FoundTile {
  seat: number;
  tile: string;
}
/**
 * Who the receiver is: the seats it may act for, and whose rack it sees.
 */
export interface You {
  player: string | null;
  seats: number[];
  shown: number | null;
  host: boolean;
}
/**
 * What has happened since the last version, and the room after it.
 */
export interface Update {
  type: "update";
  version: number;
  events: Seen[];
  view: RoomView;
}
/**
 * An event by its version; null when the receiver may not see it: a bare version, so that no number is missing.
 */
export interface Seen {
  version: number;
  at: number;
  event: SeenEvent | null;
}
/**
 * The room was made.
 */
export interface OpenedEvent {
  kind: "opened";
  setup: SetupView;
}
/**
 * Somebody took a seat.
 */
export interface SatEvent {
  kind: "sat";
  seat: number;
  name: string;
}
/**
 * A seat is free again.
 */
export interface StoodEvent {
  kind: "stood";
  seat: number;
}
/**
 * The host sent somebody away.
 */
export interface RemovedEvent {
  kind: "removed";
  seat: number;
}
/**
 * A bot was chosen for a seat, or no bot.
 */
export interface BotSeatedEvent {
  kind: "bot-seated";
  seat: number;
  bot: string | null;
}
/**
 * Somebody is ready for the start, or is not.
 */
export interface ReadyEvent {
  kind: "ready";
  seat: number;
  ready: boolean;
}
/**
 * The receiver's own word for the shuffle; others get a bare version, and all words with the start.
 */
export interface WordGivenEvent {
  kind: "word-given";
  seat: number;
  word: string;
}
/**
 * The host chose another setup; nobody is ready any more.
 */
export interface ChangedEvent {
  kind: "changed";
  setup: SetupView;
}
/**
 * Somebody left in mid-game; the seat stays theirs.
 */
export interface WentAwayEvent {
  kind: "went-away";
  seat: number;
}
/**
 * Somebody who had left is back.
 */
export interface CameBackEvent {
  kind: "came-back";
  seat: number;
}
/**
 * The players gather for another match; its shuffle is settled already.
 */
export interface RematchedEvent {
  kind: "rematched";
  commitment: string;
}
/**
 * Another player is the host now; null when that player has stood up since.
 */
export interface HostPassedEvent {
  kind: "host-passed";
  seat: number | null;
}
/**
 * The room is closed.
 */
export interface ClosedEvent {
  kind: "closed";
  reason: string;
}
/**
 * A match begins; its words are everybody's to see.
 */
export interface StartedEvent {
  kind: "started";
  players: number;
  rounds: number;
  words: string[];
  bots: (string | null)[];
  commitment: string;
}
/**
 * The tiles were dealt: the receiver's own rack, and how many tiles there are elsewhere.
 */
export interface RoundBeganEvent {
  kind: "round-began";
  round: number;
  draws: StartDrawn[][];
  starter: number;
  rack: string;
  rack_sizes: number[];
  pool_size: number;
}
/**
 * A legal play; `buzzer` when the clock found it finished.
 */
export interface PlayedEvent {
  kind: "played";
  seat: number;
  /**
   * @maxItems 60
   */
  table: string[];
  laid: string;
  taken: string;
  points: number;
  stars: number;
  opens: boolean;
  buzzer: boolean;
}
/**
 * Tiles were drawn; null unless they are the receiver's own.
 */
export interface DrewEvent {
  kind: "drew";
  seat: number;
  count: number;
  tiles: string | null;
  stars: number;
}
/**
 * A player could not draw and did not play.
 */
export interface PassedEvent {
  kind: "passed";
  seat: number;
}
/**
 * The time was over; `penalty` is null unless the drawn tiles are the receiver's own.
 */
export interface TimedOutEvent {
  kind: "timed-out";
  seat: number;
  /**
   * @maxItems 60
   */
  table: string[];
  laid: string;
  taken: string;
  count: number;
  penalty: string | null;
  opens: boolean;
  restored: boolean;
  passed: boolean;
}
/**
 * A hint was given; the record keeps it.
 */
export interface HintGivenEvent {
  kind: "hint-given";
  seat: number;
  level: Level;
}
/**
 * A seat is now held by this bot, or by its player again.
 */
export interface HandedOverEvent {
  kind: "handed-over";
  seat: number;
  bot: string | null;
}
/**
 * A round is over: who laid the last tile, if anybody, who won, what each scores.
 */
export interface RoundEndedEvent {
  kind: "round-ended";
  round: number;
  finisher: number | null;
  winner: number;
  scores: number[];
}
/**
 * The last round is over; the seed of the shuffle is everybody's to check.
 */
export interface MatchEndedEvent {
  kind: "match-ended";
  totals: number[];
  winners: number[];
}
/**
 * A race begins.
 */
export interface RaceBeganEvent {
  kind: "race-began";
  players: number;
  caller: number | null;
}
/**
 * A tile was named and goes to its place.
 */
export interface CalledEvent {
  kind: "called";
  tile: string;
}
/**
 * A right tile goes to its place, for a star.
 */
export interface FoundEvent {
  kind: "found";
  seat: number;
  tile: string;
}
/**
 * All four rows are complete.
 */
export interface RaceEndedEvent {
  kind: "race-ended";
  winners: number[];
}
/**
 * A command was done, with this version; or a hint was given, with the hint in it.
 */
export interface Ack {
  type: "ack";
  id: string;
  version: number;
  hint: Hint | null;
}
/**
 * The best play, as far as the level tells it.
 */
export interface Hint {
  level: Level;
  can_play: boolean;
  /**
   * From `point` on.
   */
  laid: string | null;
  /**
   * From `reveal` on.
   */
  after: string[] | null;
  steps: HintStep[];
}
/**
 * A step of the best play: tiles go from a meld, or the rack (null), to a meld, or the rack.
 */
export interface HintStep {
  verb: string;
  pieces: string;
  source: number | null;
  target: number | null;
  were: string;
}
/**
 * A command was not done, and changed nothing.
 */
export interface Refused {
  type: "refused";
  id: string;
  code: string;
  violations: ViolationSeen[];
  version: number;
}
/**
 * A broken rule: its code, its tiles, and what a sentence about it needs.
 */
export interface ViolationSeen {
  code: string;
  tiles: string;
  args: {
    [k: string]: string | number;
  };
}
/**
 * What would become of a draft if it were played now; `on` is the version that it was sent with.
 */
export interface Advice {
  type: "advice";
  on: number;
  legal: boolean;
  melds: JudgedMeld[];
  violations: ViolationSeen[];
  points: number;
  towards: number | null;
  laid: string;
}
/**
 * A meld of a draft: its points, or why it is none.
 */
export interface JudgedMeld {
  ok: boolean;
  reason: string | null;
  args: {
    [k: string]: string | number;
  };
  points: number;
}
/**
 * What the player to move is arranging; `?` is a tile from the rack, and null means that it is all put back.
 */
export interface DraftSeen {
  type: "draft";
  seat: number;
  on: number;
  table: string[][] | null;
}
/**
 * Somebody said a phrase.
 */
export interface PhraseSaid {
  type: "phrase";
  seat: number;
  phrase: Phrase;
}
/**
 * Who is connected, seat by seat.
 */
export interface Presence {
  type: "presence";
  present: boolean[];
}
/**
 * The newest version and the server's time, sent every few seconds.
 */
export interface Heartbeat {
  type: "heartbeat";
  version: number;
  now: number;
}
/**
 * A message could not be used; `id` is that of the command in it, where there was one to read.
 */
export interface ErrorMessage {
  type: "error";
  code: string;
  field: string | null;
  message: string;
  id: string | null;
}
/**
 * The last message of a connection, and why.
 */
export interface Bye {
  type: "bye";
  code: string;
}
/**
 * A room to be made; whoever makes it is its host.
 */
export interface NewRoom {
  game?: "match" | "race";
  ruleset?: string;
  /**
   * House rules by field; `tileset` (standard, xp, xp-quick, junior) stands for the fields of a tile set.
   */
  house?: {
    [k: string]: boolean | number | string;
  };
  players?: number;
  rounds?: number;
  clock?: ("none" | "rulebook") | SecondClock | DayClock;
  /**
   * @maxItems 6
   */
  bots?: (string | null)[];
  public?: boolean;
  spectators?: boolean;
  hints?: boolean;
  sit_in?: string | null;
  caller?: number | null;
  first?: number;
}
/**
 * A command by REST: the same door as the WebSocket's, with the same answer.
 */
export interface CommandBody {
  id: string;
  on: number;
  command: WireCommand;
}
/**
 * Another name.
 */
export interface NewName {
  /**
   * 1 to 24 characters that can be seen.
   */
  name: string;
}
/**
 * A person who is to play on the same device.
 */
export interface NewLocal {
  /**
   * 1 to 24 characters that can be seen.
   */
  name: string;
}
/**
 * The token of such a link.
 */
export interface UseLink {
  token: string;
}
/**
 * A wish for a bot's token.
 */
export interface NewToken {
  /**
   * 1 to 24 characters that can be seen.
   */
  label: string;
}
/**
 * A play to be judged.
 */
export interface CheckRequest {
  ruleset: string;
  house?: {
    [k: string]: boolean | number | string;
  };
  opened?: boolean;
  all_opened?: boolean;
  table?: string | string[];
  rack: string | string[];
  after: string | string[];
  after_rack?: string | string[] | null;
}
/**
 * A position whose best play is asked for.
 */
export interface SolveRequest {
  ruleset: string;
  house?: {
    [k: string]: boolean | number | string;
  };
  opened?: boolean;
  all_opened?: boolean;
  objective?: "tiles" | "points";
  table?: string | string[];
  rack: string | string[];
}
/**
 * Some rooms, the newest first; `next` asks for those before them.
 */
export interface RoomList {
  rooms: RoomSummary[];
  next: string | null;
}
/**
 * A room in a list.
 */
export interface RoomSummary {
  room: string;
  code: string | null;
  version: number;
  stage: "lobby" | "playing" | "over" | "closed";
  setup: SetupView;
  /**
   * The name of the host.
   */
  host: string | null;
  /**
   * Who sits where: a person's name, or a bot's; null for a seat that is free.
   */
  names: (string | null)[];
  /**
   * How many seats nobody has, neither a person nor a bot.
   */
  free: number;
  matches: number;
  /**
   * The seats of whoever asks.
   */
  yours: number[];
  created_at: number;
  updated_at: number;
}
/**
 * How a match or a race of a room ended.
 */
export interface MatchResult {
  /**
   * Which one of the room it was; the record is asked for by this number.
   */
  number: number;
  game: "match" | "race";
  ruleset: string;
  began_at: number;
  ended_at: number;
  /**
   * Who sat where when it began: a person's name, or a bot's.
   */
  names: string[];
  /**
   * What each seat has at the end.
   */
  totals: number[];
  /**
   * What the totals are.
   */
  counts: "points" | "stars";
  /**
   * The seats that won; several where they have the same.
   */
  winners: number[];
}
/**
 * Whoever asks.
 */
export interface Me {
  id: string;
  name: string;
  kind: "guest" | "bot" | "local";
  locals: Local[];
  created_at: number;
}
/**
 * A person who plays on somebody's device.
 */
export interface Local {
  id: string;
  name: string;
}
/**
 * A link with which one continues on another device, once and soon.
 */
export interface Link {
  url: string;
  token: string;
  expires_at: number;
  /**
   * The address as a QR code: an SVG picture.
   */
  qr: string;
}
/**
 * A bot's token; the token itself is shown once, when it is made.
 */
export interface Token {
  id: string;
  label: string;
  created_at: number;
  token: string | null;
}
/**
 * Everything that is kept about somebody, but for the games themselves.
 */
export interface Export {
  player: ExportedPlayer;
  /**
   * The people on their device, and their bots.
   */
  owned: ExportedPlayer[];
  tokens: ExportedToken[];
  links: ExportedLink[];
  seats: ExportedSeat[];
  words: ExportedWord[];
}
/**
 * Somebody, or a person or bot of theirs.
 */
export interface ExportedPlayer {
  id: string;
  name: string;
  kind: "guest" | "bot" | "local";
  created_at: number;
  /**
   * When they were last here.
   */
  seen_at: number;
  /**
   * Whose person or bot this is; null for a guest.
   */
  owner: string | null;
  deleted: boolean;
}
/**
 * A bot's token; the token itself is not kept.
 */
export interface ExportedToken {
  /**
   * The bot.
   */
  player: string;
  label: string;
  created_at: number;
}
/**
 * A link to another device; its token is not kept.
 */
export interface ExportedLink {
  expires_at: number;
  used_at: number | null;
}
/**
 * A seat that somebody has, or had.
 */
export interface ExportedSeat {
  room: string;
  player: string;
  seat: number;
  /**
   * When the room was made.
   */
  created_at: number;
}
/**
 * A word that somebody gave to a shuffle.
 */
export interface ExportedWord {
  room: string;
  player: string;
  word: string;
  at: number;
}
/**
 * A ruleset: its fields, its title in every language, and the tile sets that it can be played with.
 */
export interface RulesetInfo {
  id: string;
  titles: {
    [k: string]: string;
  };
  fields: {
    [k: string]: boolean | number | string;
  };
  /**
   * What the house rule `tileset` may say, and the fields that each stands for.
   */
  tilesets: {
    [k: string]: {
      [k: string]: number;
    };
  };
}
/**
 * A bot that can be seated; `elo` is its strength where that has been measured.
 */
export interface BotInfo {
  name: string;
  description: string;
  elo: number | null;
}
/**
 * A quick phrase or reaction: its code, and what it says in every language.
 */
export interface PhraseInfo {
  phrase: Phrase;
  texts: {
    [k: string]: string;
  };
}
/**
 * The rules of a game in a language and in its rulebook's words.
 */
export interface ToldRules {
  ruleset: string;
  /**
   * The fields in which the rules differ from the ruleset's.
   */
  house: {
    [k: string]: boolean | number | string;
  };
  lang: string;
  title: string;
  /**
   * The labels of what is marked and drawn: decision, house, before, rack, after, legal, illegal.
   */
  marks: {
    [k: string]: string;
  };
  sections: ToldSection[];
}
/**
 * A part of the rules under a title.
 */
export interface ToldSection {
  key: string;
  title: string;
  paragraphs: ToldParagraph[];
}
/**
 * One thing told, and what shows it: a play, or a score sheet of rows with a header and the totals.
 */
export interface ToldParagraph {
  text: string;
  /**
   * The word of the rulebook that the text explains, and begins with; otherwise empty.
   */
  term: string;
  /**
   * Whether this is ours, where the rulebook is silent.
   */
  decision: boolean;
  /**
   * Whether a house rule changed it.
   */
  house: boolean;
  example: ToldExample | null;
  sheet: string[][];
}
/**
 * A play that shows a rule, to be drawn: every joker that stands for something is named.
 */
export interface ToldExample {
  before: string[];
  rack: string;
  after: string[];
  opened: boolean;
  legal: boolean;
  /**
   * Why the play is not allowed: a sentence for each rule that it breaks.
   */
  reasons: string[];
}
/**
 * Whether a play is legal, and otherwise every rule that it breaks.
 */
export interface CheckAnswer {
  legal: boolean;
  violations: ToldViolation[];
  laid: string;
  points: number;
}
/**
 * A broken rule with its sentence.
 */
export interface ToldViolation {
  code: string;
  tiles: string;
  args: {
    [k: string]: string | number;
  };
  message: string;
}
/**
 * The best play of a position.
 */
export interface SolveAnswer {
  tiles: number;
  points: number;
  laid: string;
  taken: string | null;
  after: string[];
  unchanged: number;
  /**
   * How to do it, in sentences.
   */
  steps: string[] | null;
  /**
   * The same, to be drawn: a step for each sentence.
   */
  moves: ToldStep[] | null;
  proven: boolean;
  nodes: number;
  micros: number;
}
/**
 * A step of the best play with its sentence.
 */
export interface ToldStep {
  verb: string;
  pieces: string;
  source: number | null;
  target: number | null;
  were: string;
  text: string;
}
/**
 * The process runs.
 */
export interface Health {
  ok: boolean;
  version: string;
}
/**
 * Whether players may be sent here: the store has to answer; without the bus everything is only slower.
 */
export interface Readiness {
  ready: boolean;
  store: boolean;
  bus: boolean;
}
/**
 * The body of every answer that is none.
 */
export interface ErrorBody {
  error: ErrorDetail;
}
/**
 * What is wrong: a stable code, the field if there is one, and a sentence.
 */
export interface ErrorDetail {
  code: string;
  /**
   * What is wrong, as the request has it: `house.opening`, `command.table.0`; null where it is none of its fields.
   */
  field: string | null;
  message: string;
}
