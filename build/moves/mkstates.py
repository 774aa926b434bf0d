import sys, json
from copy import deepcopy
import tests.model.world as world
from tests.model.world import *
from tests.model.test_halves import *
from corollary.model.kernel.component import KERNEL
from corollary.proofs import witnesses
from corollary.proofs.replay import Counterexample
from corollary.proofs.prove import Step
from corollary.proofs.transition import transitions
from corollary.proofs.whole import broken
from corollary.spec.kernel.state import Call
from corollary.model.kernel.promises import INVARIANTS
T={t.name:t for t in transitions(KERNEL)}
out={}
def snap(name, w, do):
    """run do(w) whose last call is the operation; keep state before"""
    real=world.dispatch; kept={}
    def d(s,call):
        if call.operation==BY_NAME[name].number:
            kept['s'],kept['call']=deepcopy(s),deepcopy(call)
        return real(s,call)
    world.dispatch=d
    try: status=do(w)
    finally: world.dispatch=real
    return kept['s'],kept['call'],status
def keep(name, w, do, want):
    s,call,status=snap(name,w,do)
    bad=[p.id for p,*_ in [next(broken(s,INVARIANTS.values()),(None,))] if p]if False else next(broken(s,INVARIANTS.values()),None)
    st=Status(status)
    if st!=want or bad is not None:
        print("BAD",name,want.name,st.name,bad); return
    ex=Counterexample(name,"cover",{n:t() for n,t in KERNEL.roots.items()}|{"s":s,"call":call},{})
    data=witnesses.written(ex)
    page=call.argument[5]
    tables=[p for p,row in s.page.rows.items() if row.kind in (1,2,3)]
    whole_=data
    def lean(path): return path[0] in ("log","head","key") or path[0]=="proof_root" or path[0]=="memory" and path[1]!=page and path[1] not in tables
    data=data|{"s":[[p,v] for p,v in data["s"] if not lean(p)]}
    step=Step(T[name]); ex=witnesses.read(json.loads(json.dumps(data)),KERNEL)
    if not step.shows(ex,want):
        print("LEAN FAILS",name,want.name, next(broken(ex.roots["s"],INVARIANTS.values()),None)); data=whole_
        print(step.shows(witnesses.read(json.loads(json.dumps(data)),KERNEL),want))
    out.setdefault(name,{})[f"{name}/reaches-{want.name}"]=data
S=Status
# split
keep("partition_split",whole(),split,S.OK)
w=whole(); w.must("schedule_mode",SLOT_SCHEDULER,Mode.REFLEX); keep("partition_split",w,split,S.WRONG_MODE)
w=whole(); w.must("partition_suspend",to(w,ONE)); keep("partition_split",w,lambda w: split(w,ONE,ONE),S.WRONG_STATE)
w=whole(); w.s.capability[30+OTHER].rights=Right.WRITE; keep("partition_split",w,split,S.INSUFFICIENT_RIGHTS)
def grandchild():
    w=World(); w.spawn(ONE); w.spawn(THIRD); w.endow(ONE,partitions=2)
    w.give(SLOT_SCHEDULER,ONE,1)
    w.run(ONE); h=w.must("partition_create",w.handle(1,ONE),OTHER,32,20)
    w.must("capability_delete",w.handle(32,ONE)) if False else None
    return w
# INVALID_TARGET: caller merges partition whose parent is someone else: give ONE handles on THIRD (by root) and THIRD2 created by root
def foreign():
    w=World(); w.spawn(ONE); w.spawn(OTHER); w.create(THIRD)
    page=w.data(ONE,FIRST_FREE+100)
    w.give(to(w,OTHER),ONE,2); w.give(to(w,THIRD),ONE,3)
    w.run(ONE); w.page_=page
    return w
keep("partition_split",foreign(),lambda w: w.proved("partition_split",w.handle(2,ONE),w.handle(3,ONE),page=w.page_),S.INVALID_TARGET)
# merge
keep("partition_merge",pair(),merge,S.OK)
w=pair(); w.s.capability[30+OTHER].rights=Right.WRITE; keep("partition_merge",w,merge,S.INSUFFICIENT_RIGHTS)
keep("partition_merge",pair(),lambda w: merge(w,ONE,ONE),S.INVALID_TARGET)
w=pair(); w.must("partition_suspend",to(w,ONE)); assert w.proved("partition_hibernate",to(w,OTHER))==0; keep("partition_merge",w,merge,S.WRONG_STATE)
keep("partition_merge",pair(),lambda w: merge(w,edge=EDGE+1),S.NOT_CONNECTED)
keep("partition_merge",pair(0),merge,S.NOT_COHERENT)
w=pair(); w.s.device[31].leased,w.s.device[31].holder,w.s.device[31].kind=True,ONE,1; keep("partition_merge",w,merge,S.STILL_LEASED)
def full():
    w=pair()
    for slot in range(64):
        if not w.slot(slot,OTHER).kind: w.give(SLOT_SCHEDULER,OTHER,slot,Right.READ)
    return w
keep("partition_merge",full(),merge,S.LIMIT_REACHED)
# settle
def begun(make,ask):
    w=make(); assert ask(w)==0; return w
settle=lambda w: w.call("partition_settle",to(w,ONE))
keep("partition_settle",begun(whole,split),settle,S.OK)
keep("partition_settle",whole(),settle,S.WRONG_STATE)
keep("partition_destroy",begun(pair,merge),lambda w: w.proved("partition_destroy",to(w,ONE)),S.STILL_HOLDING)
old={k:v for k,v in json.loads(__import__("subprocess").run(["git","show","HEAD:proofs/states/kernel/partition_destroy.json"],capture_output=True,text=True).stdout).items()}
for name,states in out.items():
    base=dict(old) if name=="partition_destroy" else {}
    witnesses.save_with_sources("kernel",name,base|states)
    print(name,sorted(states))
