"""Frequencies of letters after each other. Made by `tests/evaluation/train_letters.py`; do not edit."""

SYMBOLS = "abcdefghijklmnopqrstuvwxyz0^"
"""Rows and columns: letters in either case, any digit, the edge of a piece."""

FOLLOWS = (
    "RB<?]UCaDhO7=9jBf5;4JNQPLeOF",
    "6FFM;S[\\;D`4PR:Ie??L9eXaCWB;",
    "8_HQ8R[:Du<?OW1S`?K7BYbkN{J=",
    ">PNE0NSY5aaCUR=ReGCKDYX`TpB.",
    "AT>;HGN[Ri]AD9VHO48=YLOBReQ3",
    "=VJJ<:Oa0ml?UU6Rd<FC?dZlMzC9",
    "DVSQ0XH@>vjCLBGQ~=@KDXXnc\\R-",
    "2YTN0WeY8~WJMQ5YtCL=Ib^kQib5",
    "EH=ADGBk_h]<@.:EfD:9hHrK~GeM",
    "8lGP0Rl\\BaCS\\]6KlO?W3a]lPlH4",
    "BPJK.GHU9j`AXFJM[L:JMTG~UsU/",
    "9VQC0S^\\4o]:WT8LsWDBFW_n@eZ7",
    "2EXM.Zb_:rWJCS:7~WCKEce~M~Z:",
    ";Y=89E6YAhMMUJ?OdX<5HJ\\iXpV6",
    "LI>>YMHbNjK>>1D>w4B@>IAMcaYC",
    "4ZMO4N]K?~Y9WW9@b6E=EVVqE~Q:",
    "UTQQW[b[[arH\\GT\\IGDU%_XrrrP7",
    "9WFG1PL^:wONFJ9N~@=?JQWlHx]3",
    "G\\CU4UTC<mQKRTDBYW=3@YWeKtZ.",
    ";UHN2Od>5wYJPR>Kj;ACFYTbE_V3",
    "D?EL>KKiC~h:>5N=z9;7[elato7O",
    "0SN])UY]6~jWRUEUnONXdWVaeeH?",
    "4ULJ:N\\?2i^IX=;Qb:;K[[OT~cR6",
    "FM>J=E]Q>~gLGWO:gTJ4WUWJEc/6",
    "SLJMCLWWF~gGG?L6cI;=\\ROcVUQ)",
    "<[PO(Qg[5rrOJU=NrSPNVr[gPPI=",
    "BFE>IF~edpp\\b`da~lacfpqshy(.",
    ">A:>@@DG>XOA?CF=V>8?>MGDZY~~",
)
"""How unlikely a column is after a row: tenths of a nat, above `!`."""

CASES = {"ll": 0.03, "lu": 3.57, "ul": 0.98, "uu": 0.47}
"""How unlikely a case is after another (l lower, u upper), in nats."""
