; Made by `make runtime` of small_float_products.c (96bb1bbd636f2b16) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@ag_library_bits = external constant i32, align 4

define void @ag_small_sgemm(i32 noundef %order, i32 noundef %a_transposed, i32 noundef %b_transposed, i64 noundef %rows, i64 noundef %columns, i64 noundef %inner, float noundef %alpha, ptr noundef %a, i64 noundef %a_stride, ptr noundef %b, i64 noundef %b_stride, float noundef %beta, ptr noundef %c, i64 noundef %c_stride) {
entry:
  %cmp = icmp eq i32 %a_transposed, 111
  %cmp1 = icmp eq i32 %b_transposed, 111
  %cmp3 = icmp eq i64 %columns, 1
  br i1 %cmp3, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %cond = select i1 %cmp, i64 %rows, i64 %inner
  %cond8 = select i1 %cmp, i64 %inner, i64 %rows
  %cond13 = select i1 %cmp1, i64 %b_stride, i64 1
  %0 = load i32, ptr @ag_library_bits, align 4
  %cmp.i = icmp eq i32 %0, 64
  br i1 %cmp.i, label %if.then.i, label %if.else.i

if.then.i:                                        ; preds = %if.then
  tail call void @library_sgemv(i32 noundef 101, i32 noundef %a_transposed, i64 noundef %cond, i64 noundef %cond8, float noundef %alpha, ptr noundef %a, i64 noundef %a_stride, ptr noundef %b, i64 noundef %cond13, float noundef %beta, ptr noundef %c, i64 noundef %c_stride)
  br label %cleanup69

if.else.i:                                        ; preds = %if.then
  %conv.i = trunc i64 %cond to i32
  %conv1.i = trunc i64 %cond8 to i32
  %conv2.i = trunc i64 %a_stride to i32
  %conv3.i = trunc i64 %cond13 to i32
  %conv4.i = trunc i64 %c_stride to i32
  tail call void @narrow_sgemv(i32 noundef 101, i32 noundef %a_transposed, i32 noundef %conv.i, i32 noundef %conv1.i, float noundef %alpha, ptr noundef %a, i32 noundef %conv2.i, ptr noundef %b, i32 noundef %conv3.i, float noundef %beta, ptr noundef %c, i32 noundef %conv4.i)
  br label %cleanup69

if.end:                                           ; preds = %entry
  %cmp14 = icmp eq i64 %rows, 1
  br i1 %cmp14, label %if.then15, label %if.end33

if.then15:                                        ; preds = %if.end
  %cond17 = select i1 %cmp1, i32 112, i32 111
  %cond22 = select i1 %cmp1, i64 %inner, i64 %columns
  %cond27 = select i1 %cmp1, i64 %columns, i64 %inner
  %cond32 = select i1 %cmp, i64 1, i64 %a_stride
  %1 = load i32, ptr @ag_library_bits, align 4
  %cmp.i124 = icmp eq i32 %1, 64
  br i1 %cmp.i124, label %if.then.i130, label %if.else.i125

if.then.i130:                                     ; preds = %if.then15
  tail call void @library_sgemv(i32 noundef 101, i32 noundef %cond17, i64 noundef %cond22, i64 noundef %cond27, float noundef %alpha, ptr noundef %b, i64 noundef %b_stride, ptr noundef %a, i64 noundef %cond32, float noundef %beta, ptr noundef %c, i64 noundef 1)
  br label %cleanup69

if.else.i125:                                     ; preds = %if.then15
  %conv.i126 = trunc i64 %cond22 to i32
  %conv1.i127 = trunc i64 %cond27 to i32
  %conv2.i128 = trunc i64 %b_stride to i32
  %conv3.i129 = trunc i64 %cond32 to i32
  tail call void @narrow_sgemv(i32 noundef 101, i32 noundef %cond17, i32 noundef %conv.i126, i32 noundef %conv1.i127, float noundef %alpha, ptr noundef %b, i32 noundef %conv2.i128, ptr noundef %a, i32 noundef %conv3.i129, float noundef %beta, ptr noundef %c, i32 noundef 1)
  br label %cleanup69

if.end33:                                         ; preds = %if.end
  %cmp34 = icmp eq ptr %a, %b
  %2 = xor i1 %cmp, %cmp1
  %or.cond122 = and i1 %2, %cmp34
  %cmp41 = icmp eq i64 %rows, %columns
  %or.cond123 = and i1 %cmp41, %or.cond122
  %cmp43 = icmp eq i64 %a_stride, %b_stride
  %spec.select = and i1 %cmp43, %or.cond123
  %cmp49 = fcmp oeq float %alpha, 1.000000e+00
  %or.cond = and i1 %cmp49, %spec.select
  %cmp52 = fcmp oeq float %beta, 0.000000e+00
  %or.cond71 = and i1 %cmp52, %or.cond
  %3 = load i32, ptr @ag_library_bits, align 4
  %cmp.i132 = icmp eq i32 %3, 64
  br i1 %or.cond71, label %if.then54, label %if.end55

if.then54:                                        ; preds = %if.end33
  br i1 %cmp.i132, label %if.then.i138, label %if.else.i133

if.then.i138:                                     ; preds = %if.then54
  tail call void @library_ssyrk(i32 noundef 101, i32 noundef 121, i32 noundef %a_transposed, i64 noundef %columns, i64 noundef %inner, float noundef 1.000000e+00, ptr noundef %a, i64 noundef %a_stride, float noundef 0.000000e+00, ptr noundef %c, i64 noundef %c_stride)
  br label %if.end.i

if.else.i133:                                     ; preds = %if.then54
  %conv.i134 = trunc i64 %columns to i32
  %conv1.i135 = trunc i64 %inner to i32
  %conv2.i136 = trunc i64 %a_stride to i32
  %conv3.i137 = trunc i64 %c_stride to i32
  tail call void @narrow_ssyrk(i32 noundef 101, i32 noundef 121, i32 noundef %a_transposed, i32 noundef %conv.i134, i32 noundef %conv1.i135, float noundef 1.000000e+00, ptr noundef %a, i32 noundef %conv2.i136, float noundef 0.000000e+00, ptr noundef %c, i32 noundef %conv3.i137)
  br label %if.end.i

if.end.i:                                         ; preds = %if.else.i133, %if.then.i138
  %cmp457.i = icmp sgt i64 %columns, 0
  br i1 %cmp457.i, label %for.body10.lr.ph.i, label %cleanup69

for.body10.lr.ph.i:                               ; preds = %if.end.i, %for.cond.cleanup9.i
  %first.058.i = phi i64 [ %add12.i, %for.cond.cleanup9.i ], [ 0, %if.end.i ]
  %add12.i = add nuw nsw i64 %first.058.i, 32
  %cond.i52.i = tail call noundef i64 @llvm.smin.i64(i64 %add12.i, i64 %columns)
  br label %for.body10.i

for.cond6.loopexit.i:                             ; preds = %for.body17.i, %for.body10.i
  %exitcond.not.i = icmp eq i64 %add.i, %columns
  br i1 %exitcond.not.i, label %for.cond.cleanup9.i, label %for.body10.i

for.cond.cleanup9.i:                              ; preds = %for.cond6.loopexit.i
  %cmp4.i = icmp slt i64 %add12.i, %columns
  br i1 %cmp4.i, label %for.body10.lr.ph.i, label %cleanup69

for.body10.i:                                     ; preds = %for.cond6.loopexit.i, %for.body10.lr.ph.i
  %i.056.i = phi i64 [ 0, %for.body10.lr.ph.i ], [ %add.i, %for.cond6.loopexit.i ]
  %add.i = add nuw nsw i64 %i.056.i, 1
  %cond.i.i = tail call noundef i64 @llvm.smax.i64(i64 %first.058.i, i64 %add.i)
  %invariant.gep.i = getelementptr float, ptr %c, i64 %i.056.i
  %cmp1453.i = icmp slt i64 %cond.i.i, %cond.i52.i
  br i1 %cmp1453.i, label %for.body17.lr.ph.i, label %for.cond6.loopexit.i

for.body17.lr.ph.i:                               ; preds = %for.body10.i
  %mul.i = mul nsw i64 %i.056.i, %c_stride
  %4 = getelementptr float, ptr %c, i64 %mul.i
  br label %for.body17.i

for.body17.i:                                     ; preds = %for.body17.i, %for.body17.lr.ph.i
  %j.054.i = phi i64 [ %cond.i.i, %for.body17.lr.ph.i ], [ %inc.i, %for.body17.i ]
  %arrayidx.i = getelementptr float, ptr %4, i64 %j.054.i
  %5 = load float, ptr %arrayidx.i, align 4
  %mul19.i = mul nsw i64 %j.054.i, %c_stride
  %gep.i = getelementptr float, ptr %invariant.gep.i, i64 %mul19.i
  store float %5, ptr %gep.i, align 4
  %inc.i = add nuw nsw i64 %j.054.i, 1
  %cmp14.i = icmp slt i64 %inc.i, %cond.i52.i
  br i1 %cmp14.i, label %for.body17.i, label %for.cond6.loopexit.i

if.end55:                                         ; preds = %if.end33
  br i1 %cmp.i132, label %if.then.i143, label %if.else.i140

if.then.i143:                                     ; preds = %if.end55
  tail call void @library_sgemm(i32 noundef 101, i32 noundef %a_transposed, i32 noundef %b_transposed, i64 noundef %rows, i64 noundef %columns, i64 noundef %inner, float noundef %alpha, ptr noundef %a, i64 noundef %a_stride, ptr noundef %b, i64 noundef %b_stride, float noundef %beta, ptr noundef %c, i64 noundef %c_stride)
  br label %cleanup69

if.else.i140:                                     ; preds = %if.end55
  %conv.i141 = trunc i64 %rows to i32
  %conv5.i = trunc i64 %columns to i32
  %conv7.i = trunc i64 %inner to i32
  %conv11.i = trunc i64 %a_stride to i32
  %conv14.i = trunc i64 %b_stride to i32
  %conv18.i = trunc i64 %c_stride to i32
  tail call void @narrow_sgemm(i32 noundef 101, i32 noundef %a_transposed, i32 noundef %b_transposed, i32 noundef %conv.i141, i32 noundef %conv5.i, i32 noundef %conv7.i, float noundef %alpha, ptr noundef %a, i32 noundef %conv11.i, ptr noundef %b, i32 noundef %conv14.i, float noundef %beta, ptr noundef %c, i32 noundef %conv18.i)
  br label %cleanup69

cleanup69:                                        ; preds = %for.cond.cleanup9.i, %if.else.i140, %if.then.i143, %if.end.i, %if.else.i125, %if.then.i130, %if.else.i, %if.then.i
  ret void
}

declare void @library_sgemv(i32 noundef, i32 noundef, i64 noundef, i64 noundef, float noundef, ptr noundef, i64 noundef, ptr noundef, i64 noundef, float noundef, ptr noundef, i64 noundef)

declare void @narrow_sgemv(i32 noundef, i32 noundef, i32 noundef, i32 noundef, float noundef, ptr noundef, i32 noundef, ptr noundef, i32 noundef, float noundef, ptr noundef, i32 noundef)

declare void @library_ssyrk(i32 noundef, i32 noundef, i32 noundef, i64 noundef, i64 noundef, float noundef, ptr noundef, i64 noundef, float noundef, ptr noundef, i64 noundef)

declare void @narrow_ssyrk(i32 noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef, float noundef, ptr noundef, i32 noundef, float noundef, ptr noundef, i32 noundef)

declare void @library_sgemm(i32 noundef, i32 noundef, i32 noundef, i64 noundef, i64 noundef, i64 noundef, float noundef, ptr noundef, i64 noundef, ptr noundef, i64 noundef, float noundef, ptr noundef, i64 noundef)

declare void @narrow_sgemm(i32 noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef, float noundef, ptr noundef, i32 noundef, ptr noundef, i32 noundef, float noundef, ptr noundef, i32 noundef)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
